//! tokio-postgres: prepared statements, binary parameters, transactions, copy, cancelled queries, errors.

use std::error::Error;
use std::pin::pin;

use bytes::Bytes;
use futures_util::{SinkExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::var("DATABASE_URL")?;
    let mut client = connect(&url).await?;
    client
        .batch_execute(
            "create type mood as enum ('good', 'bad');
             create table thing (id bigint generated always as identity primary key, name text not null unique,
                                 n int, price float8, tags text[], doc jsonb, raw bytea, ok bool, mood mood)",
        )
        .await?;
    values(&client).await?;
    transactions(&mut client).await?;
    copies(&client).await?;
    errors(&client).await?;
    let wrong = tokio_postgres::connect(&url.replace("a-password", "wrong"), NoTls).await;
    assert_eq!(wrong.err().and_then(|error| error.code().cloned()), Some(SqlState::INVALID_PASSWORD));
    Ok(())
}

async fn connect(url: &str) -> Result<Client, tokio_postgres::Error> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

async fn values(client: &Client) -> Result<(), Box<dyn Error>> {
    let insert = "insert into thing (name, n, price, tags, doc, raw, ok) values ($1, $2, $3, $4, $5, $6, $7) returning id";
    let insert = client.prepare(insert).await?;
    let (tags, doc, raw) = (vec!["a", "b,c"], json!({ "a": [1, null] }), vec![0_u8, 255]);
    let row = client.query_one(&insert, &[&"žluť", &7_i32, &1.5_f64, &tags, &doc, &raw, &true]).await?;
    assert_eq!(row.get::<_, i64>(0), 1);
    let found = client.query_one(
        "select name, n, price, tags, doc, raw, ok, mood::text from thing where id = $1",
        &[&1_i64],
    );
    let found = found.await?;
    assert_eq!((found.get::<_, &str>(0), found.get::<_, i32>(1), found.get::<_, f64>(2)), ("žluť", 7, 1.5));
    assert_eq!(
        (found.get::<_, Vec<String>>(3), found.get::<_, Value>(4)),
        (vec!["a".to_owned(), "b,c".to_owned()], doc)
    );
    assert_eq!((found.get::<_, Vec<u8>>(5), found.get::<_, bool>(6)), (raw, true));
    assert_eq!(found.get::<_, Option<String>>(7), None);
    // The driver looks up a type that it does not know.
    let column = client.prepare("select mood from thing").await?;
    assert_eq!(column.columns()[0].type_().name(), "mood");
    assert_eq!(
        client.query("select id from thing where name = any($1)", &[&vec!["žluť", "x"]]).await?.len(),
        1
    );
    let simple = client.simple_query("select 1 as one; select 'two'").await?;
    let texts = simple.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    assert_eq!(texts.collect::<Vec<_>>(), ["1", "two"]);
    Ok(())
}

async fn transactions(client: &mut Client) -> Result<(), Box<dyn Error>> {
    let mut outer = client.transaction().await?;
    outer.execute("insert into thing (name) values ('kept')", &[]).await?;
    let later = outer.savepoint("later").await?;
    later.execute("insert into thing (name) values ('lost')", &[]).await?;
    later.rollback().await?;
    // Rows of a portal, a few at a time.
    let portal = outer.bind("select g from generate_series(1, 5) g", &[]).await?;
    let mut counts = Vec::new();
    for _ in 0..3 {
        counts.push(outer.query_portal(&portal, 2).await?.len());
    }
    assert_eq!(counts, [2, 2, 1]);
    outer.commit().await?;
    let count = client.query_one("select count(*) from thing where name in ('kept', 'lost')", &[]).await?;
    assert_eq!(count.get::<_, i64>(0), 1);
    Ok(())
}

async fn copies(client: &Client) -> Result<(), Box<dyn Error>> {
    let mut sink = pin!(client.copy_in("copy thing (name, n) from stdin").await?);
    sink.send(Bytes::from_static(b"copied\t1\ntab\\there\t\\N\n")).await?;
    assert_eq!(sink.finish().await?, 2);
    let out = client
        .copy_out(
            "copy (select name, n from thing where name like 'copied' or n is null order by id) to stdout",
        )
        .await?;
    let out: Vec<Bytes> = pin!(out).try_collect().await?;
    assert_eq!(out.concat(), b"kept\t\\N\ncopied\t1\ntab\\there\t\\N\n");
    Ok(())
}

async fn errors(client: &Client) -> Result<(), Box<dyn Error>> {
    let twice = client.execute("insert into thing (name) values ($1)", &[&"kept"]).await;
    let twice = twice.expect_err("the name is unique");
    let told = twice.as_db_error().expect("the server says it");
    assert_eq!((told.code(), told.constraint()), (&SqlState::UNIQUE_VIOLATION, Some("thing_name_key")));
    assert_eq!(told.detail(), Some("Key (name)=(kept) already exists."));
    let unknown = client.query("select nothing from thing", &[]).await.expect_err("there is no such column");
    assert_eq!(unknown.code(), Some(&SqlState::UNDEFINED_COLUMN));
    let endless = client
        .query("with recursive r(i) as (select 1 union all select i + 1 from r) select count(*) from r", &[]);
    if std::env::args().nth(1).as_deref() == Some("embedded") {
        assert_eq!(endless.await.expect_err("it takes too long").code(), Some(&SqlState::QUERY_CANCELED));
    }
    assert_eq!(client.query_one("select 1 + 1", &[]).await?.get::<_, i32>(0), 2);
    Ok(())
}
