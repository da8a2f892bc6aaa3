"""asyncpg: binary parameters and results of statements that it describes first."""

import asyncio
import os
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import asyncpg


async def main():
    connection = await asyncpg.connect(os.environ["DATABASE_URL"], statement_cache_size=0)
    await connection.execute("create table thing (id serial primary key, name text, price numeric, at timestamptz, day date, key uuid, took interval)")
    row = ("x", Decimal("-0.0500"), datetime(2024, 5, 5, tzinfo=timezone.utc), date(1999, 12, 31), UUID(int=9), timedelta(days=2, seconds=3))
    made = await connection.fetchval(
        "insert into thing (name, price, at, day, key, took) values ($1, $2, $3, $4, $5, $6) returning id", *row
    )
    assert made == 1
    found = await connection.fetchrow("select name, price, at, day, key, took from thing where id = $1", 1)
    assert tuple(found) == row, (tuple(found), row)
    async with connection.transaction():
        async for record in connection.cursor("select generate_series(1, 100) as n"):
            assert record["n"] >= 1
        cursor = await connection.cursor("select n from generate_series(1, 9) n")
        assert await cursor.forward(3) == 3 and (await cursor.fetchrow())["n"] == 4
    try:
        async with connection.transaction():
            await connection.execute("insert into thing (name) values ($1)", "lost")
            raise KeyError
    except KeyError:
        pass
    assert await connection.fetchval("select count(*) from thing") == 1
    await connection.executemany("insert into thing (name) values ($1)", [("a",), ("b",)])
    assert await connection.fetchval("select count(*) from thing") == 3
    try:
        await connection.fetch("select 1 / $1::int", 0)
        raise SystemExit("a division by zero must be refused")
    except asyncpg.DivisionByZeroError:
        pass
    await connection.close()


asyncio.run(main())
