"""psycopg: parameters, types, transactions, savepoints, copy, a server-side portal, errors."""

import os
from datetime import date, datetime, timezone
from decimal import Decimal
from uuid import UUID

import psycopg

URL = os.environ["DATABASE_URL"]
with psycopg.connect(URL) as connection:
    connection.execute(
        "create table thing (id int generated always as identity primary key, name text, n bigint, price numeric, "
        "made timestamptz, day date, tags text[], doc jsonb, key uuid, raw bytea, ok boolean)"
    )
    row = (
        "žluť", 7, Decimal("12.50"), datetime(2024, 5, 5, 12, tzinfo=timezone.utc), date(2024, 2, 29), ["a", "b,c"],
        psycopg.types.json.Jsonb({"a": [1, None]}), UUID(int=5), b"\x00\xff", True,
    )
    sql = "insert into thing (name, n, price, made, day, tags, doc, key, raw, ok) values (" + ", ".join(["%s"] * 10) + ") returning id"
    assert connection.execute(sql, row).fetchone() == (1,)
    for binary in (False, True):
        found = connection.cursor(binary=binary).execute(
            "select name, n, price, made, day, tags, doc, key, raw, ok from thing where id = %s", (1,)
        ).fetchone()
        expected = (*row[:6], {"a": [1, None]}, *row[7:])
        assert found == expected, (found, expected)
    try:
        with connection.transaction():
            connection.execute("insert into thing (name) values ('lost')")
            connection.execute("insert into nothing values (1)")
    except psycopg.errors.UndefinedTable as error:
        assert error.diag.sqlstate == "42P01" and error.diag.statement_position == "13", error.diag.statement_position
    with connection.cursor() as cursor:
        cursor.executemany("insert into thing (name, n) values (%s, %s)", [("many", at) for at in range(20)])
        with cursor.copy("copy thing (name, n) from stdin") as copy:
            copy.write_row(("copied", 1))
            copy.write_row(("tab\there", None))
        with cursor.copy("copy (select name, n from thing where name like '%ed' or name like 'tab%' order by id) to stdout") as copy:
            assert list(copy.rows()) == [("copied", "1"), ("tab\there", None)]
    assert connection.execute("select count(*) from thing").fetchone() == (23,)
    with connection.cursor("named", scrollable=True) as cursor:
        cursor.itersize = 8
        cursor.execute("select name, n from thing where n >= %s order by n, id", (0,))
        assert len(list(cursor)) == 22
        cursor.scroll(3, mode="absolute")
        assert cursor.fetchone() == ("many", 2)

with psycopg.connect(URL, autocommit=True) as one, psycopg.connect(URL) as two:
    two.execute("insert into thing (name) values ('two')")
    one.execute("insert into thing (name) values ('one')")
    assert one.execute("select count(*) from thing where name in ('one', 'two')").fetchone() == (1,)
    two.commit()
    assert one.execute("select count(*) from thing where name in ('one', 'two')").fetchone() == (2,)

try:
    psycopg.connect(URL.replace("a-password", "wrong"))
    raise SystemExit("a wrong password must be refused")
except psycopg.OperationalError as error:
    assert "password authentication failed" in str(error), error
try:
    psycopg.connect(URL.replace(os.environ["PROJECT_REF"], "abcdefghijklmnopqrst"))
    raise SystemExit("an unknown project must be refused")
except psycopg.OperationalError as error:
    assert "Tenant or user not found" in str(error), error
