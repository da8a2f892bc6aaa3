-- The catalog of a PostgreSQL server, an object a row, as the embedded engine keeps its own. User-defined types get even
-- identifiers and their arrays the odd ones that follow.
with ids as (
    select t.oid as real, case
        when t.typname = 'vector' then 9000
        when t.typname = '_vector' then 9001
        when t.typname = 'citext' then 9002
        when t.typname = '_citext' then 9003
        when t.typname = 'hstore' then 9010
        when t.typname = '_hstore' then 9011
        when t.oid < 16384 then t.oid::bigint
        when t.typelem <> 0 and t.typcategory = 'A' then 1073741825 + 2 * t.typelem::bigint
        else 1073741824 + 2 * t.oid::bigint
    end as id
    from pg_catalog.pg_type t
),
spaces as (
    select * from pg_catalog.pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
),
attributes as (
    select a.attrelid, a.attnum, a.attname, i.id as base, a.atttypmod, a.attnotnull, a.attidentity, a.attgenerated,
           pg_catalog.pg_get_expr(d.adbin, d.adrelid) as expression
    from pg_catalog.pg_attribute a
    join ids i on i.real = a.atttypid
    left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped
),
arguments as (
    select p.oid, u.place, i.id as base, p.proargnames[u.place] as name, coalesce(p.proargmodes[u.place]::text, 'i') as mode,
           count(*) filter (where coalesce(p.proargmodes[u.place]::text, 'i') in ('i', 'b', 'v'))
               over (partition by p.oid order by u.place) as input, p.pronargs - p.pronargdefaults as required
    from pg_catalog.pg_proc p
    join spaces n on n.oid = p.pronamespace
    cross join unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as u (type, place)
    join ids i on i.real = u.type
)
select n.oid::bigint as oid, jsonb_build_object(
    'object', 'schema', 'name', n.nspname, 'owner', 'postgres', 'grants', '[]'::jsonb) as body
from spaces n
union all
select c.oid::bigint, jsonb_build_object(
    'object', 'relation', 'oid', c.oid::bigint, 'schema', c.relnamespace::bigint, 'name', c.relname,
    'kind', case c.relkind when 'v' then 'view' when 'm' then 'materialized_view' else 'table' end,
    'columns', coalesce((
        select jsonb_agg(jsonb_build_object(
            'number', a.attnum, 'name', a.attname, 'base', a.base, 'modifier', a.atttypmod, 'not_null', a.attnotnull,
            'default', case when a.attgenerated = '' then a.expression end,
            'identity', case a.attidentity when 'a' then 'Always' when 'd' then 'ByDefault' end,
            'generated', case when a.attgenerated <> '' then a.expression end) order by a.attnum)
        from attributes a where a.attrelid = c.oid), '[]'),
    'next_column', c.relnatts + 1,
    'constraints', coalesce((
        select jsonb_agg(jsonb_build_object(
            'oid', k.oid::bigint, 'name', k.conname, 'columns', to_jsonb(k.conkey), 'deferrable', k.condeferrable,
            'deferred', k.condeferred, 'validated', k.convalidated, 'parent', nullif(k.conparentid::bigint, 0),
            'kind', case k.contype
                when 'p' then jsonb_build_object('primary', jsonb_build_object('index', k.conindid::bigint))
                when 'u' then jsonb_build_object('unique', jsonb_build_object('index', k.conindid::bigint))
                else jsonb_build_object('foreign', jsonb_build_object(
                    'table', k.confrelid::bigint, 'columns', to_jsonb(k.confkey), 'on_delete', 'NoAction',
                    'on_update', 'NoAction', 'set', '[]'::jsonb))
            end) order by k.oid)
        from pg_catalog.pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f')), '[]'),
    'indexes', '[]'::jsonb, 'triggers', '[]'::jsonb, 'policies', '[]'::jsonb, 'reads', '[]'::jsonb,
    'definition', case when c.relkind in ('v', 'm') then pg_catalog.pg_get_viewdef(c.oid) end,
    'row_security', c.relrowsecurity, 'force_row_security', c.relforcerowsecurity, 'grants', '[]'::jsonb,
    'options', '[]'::jsonb, 'owner', 'postgres', 'replica_identity', 'd')
from pg_catalog.pg_class c join spaces n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'f', 'v', 'm')
union all
select i.id, jsonb_build_object(
    'object', 'type', 'schema', t.typnamespace::bigint, 'name', t.typname,
    'definition', case
        when t.typtype = 'e' then jsonb_build_object('enum', jsonb_build_object('labels', coalesce((
            select jsonb_agg(e.enumlabel order by e.enumsortorder)
            from pg_catalog.pg_enum e where e.enumtypid = t.oid), '[]')))
        when t.typtype = 'd' then jsonb_build_object('domain', jsonb_build_object(
            'base', jsonb_build_object('base', b.id, 'modifier', t.typtypmod), 'not_null', t.typnotnull,
            'checks', '[]'::jsonb))
        when c.relkind = 'c' then jsonb_build_object('composite', jsonb_build_object('attributes', coalesce((
            select jsonb_agg(
                jsonb_build_object('name', a.attname, 'base', a.base, 'modifier', a.atttypmod) order by a.attnum)
            from attributes a where a.attrelid = c.oid), '[]')))
        else jsonb_build_object('row', jsonb_build_object('relation', c.oid::bigint))
    end)
from pg_catalog.pg_type t
join spaces n on n.oid = t.typnamespace
join ids i on i.real = t.oid
left join ids b on b.real = t.typbasetype
left join pg_catalog.pg_class c on c.oid = t.typrelid
where t.typtype in ('e', 'd') or c.relkind in ('c', 'r', 'p', 'f', 'v', 'm')
union all
select p.oid::bigint, jsonb_build_object(
    'object', 'routine', 'schema', p.pronamespace::bigint, 'name', p.proname, 'procedure', p.prokind = 'p',
    'arguments', coalesce((
        select jsonb_agg(jsonb_build_object(
            'name', nullif(a.name, ''), 'type_', a.base, 'mode', a.mode,
            'default', case when a.mode in ('i', 'b', 'v') and a.input > a.required then '' end) order by a.place)
        from arguments a where a.oid = p.oid), '[]'),
    'returns', r.id, 'returns_set', p.proretset, 'language', '', 'body', '', 'volatility', p.provolatile,
    'strict', p.proisstrict, 'security_definer', p.prosecdef, 'settings', '[]'::jsonb, 'grants', '[]'::jsonb)
from pg_catalog.pg_proc p
join spaces n on n.oid = p.pronamespace
join ids r on r.real = p.prorettype
join pg_catalog.pg_language l on l.oid = p.prolang
where p.prokind in ('f', 'p')
    -- Of the functions of a stand-in, those that begin so are its own.
    and not (p.proname like '\_%' and l.lanname <> 'c' and exists (
        select from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e'))
