-- Passwords, digests and ciphers of pgcrypto.

create extension if not exists pgcrypto with schema extensions;
--> no rows

select crypt('password', '$2a$06$RQiOJ.3ELirrXwxIZY8q0O') as a, crypt('', '$2a$04$abcdefghijklmnopqrstuu') as b, crypt('pass wörd', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.') as c, crypt('a long password that has more than seventy-two bytes, of which the rest does not count at all', '$2a$04$......................') as d;
--> {"a":"$2a$06$RQiOJ.3ELirrXwxIZY8q0Opor.9oUAL1MojNiw3NUwpUDdI7wuxEa","b":"$2a$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq","c":"$2a$05$CCCCCCCCCCCCCCCCCCCCC.nj7KDJAZ0PpmKRlivQhNh5kYqleMsxa","d":"$2a$04$......................9CaFJKpTIwGJAnVt.RyNBIFJ7W7EqNG"}

select crypt('password', crypt('password', '$2a$04$RQiOJ.3ELirrXwxIZY8q0O')) = crypt('password', '$2a$04$RQiOJ.3ELirrXwxIZY8q0O') as a, crypt('other', '$2a$04$RQiOJ.3ELirrXwxIZY8q0O') = crypt('password', '$2a$04$RQiOJ.3ELirrXwxIZY8q0O') as b;
--> {"a":true,"b":false}

select crypt('password', '$1$saltsalt') as a, crypt('', '$1$x') as b, crypt('a longer password of more than sixteen', '$1$ab$rest') as c;
--> {"a":"$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/","b":"$1$x$fwjfZtMwarkdetsjiQreU1","c":"$1$ab$L2zGylkeyeEH1Vwy1LlRq1"}

select length(gen_salt('bf')) as a, left(gen_salt('bf', 8), 7) as b, length(gen_salt('md5')) as c, left(gen_salt('md5'), 3) as d, length(gen_salt('des')) as e, length(gen_salt('xdes')) as f, left(gen_salt('xdes', 725), 5) as g, gen_salt('bf') = gen_salt('bf') as h;
--> {"a":29,"b":"$2a$08$","c":11,"d":"$1$","e":2,"f":9,"g":"_J9..","h":false}

select extensions.crypt('pw', extensions.gen_salt('bf', 4)) like '$2a$04$%' as a, length(extensions.crypt('pw', extensions.gen_salt('md5'))) as b;
--> {"a":true,"b":34}

select gen_salt('nonsense');
--> ERROR 22023: gen_salt: Unknown salt algorithm

select gen_salt('bf', 3);
--> ERROR 22023: gen_salt: Incorrect number of rounds

select gen_salt('bf', 32);
--> ERROR 22023: gen_salt: Incorrect number of rounds

select crypt('x', 'x');
--> ERROR 22023: invalid salt

select crypt(null, '$1$a') as a, crypt('x', null) as b;
--> {"a":null,"b":null}

create table accounts (id int primary key, password text not null);
--> no rows

insert into accounts values (1, crypt('secret', gen_salt('bf', 4)));
--> no rows

select id from accounts where password = crypt('secret', password);
--> {"id":1}

select id from accounts where password = crypt('wrong', password);
--> no rows

select hmac('data', 'key', 'sha256') as a, encode(hmac('data', 'key', 'sha1'), 'hex') as b, encode(hmac('data'::bytea, 'key'::bytea, 'md5'), 'hex') as c, encode(hmac('data', 'key', 'sha512'), 'base64') as d, encode(hmac('', '', 'sha224'), 'hex') as e, encode(extensions.hmac('x', 'y', 'SHA384'), 'hex') as f;
--> {"a":{"type":"Buffer","data":[80,49,254,61,152,156,109,21,55,160,19,250,110,115,157,162,52,99,253,174,195,183,1,55,216,40,227,106,206,34,27,208]},"b":"104152c5bfdca07bc633eebd46199f0255c9f49d","c":"9d5c73ef85594d34ec4438b7c97e51d8","d":"PFlToY9zA+xlO6FwrjNPr6COOEby7+MXuH786CN2JTy1Kowx3c3lo6Lu4YPCs0y5H4XmTdvDJfdp\nKxmUc1ecWA==","e":"5ce14f72894662213e2748d2a6ba234b74263910cedde2f5a9271524","f":"086f5100688204c0c047b1ef240022e980df701db8773fd8b2ea64debae2d2be81a7aba6106f747bcf08b12f19e296dc"}

select hmac('data', 'key', 'nonsense');
--> ERROR 22023: Cannot use "nonsense": No such hash algorithm

select encode(digest('data', 'sha1'), 'hex') as a, encode(digest('data'::bytea, 'sha256'), 'hex') as b, encode(extensions.digest('data', 'md5'), 'hex') as c;
--> {"a":"a17c9aaa61e80a1bf71d0d850af4e5baa9800bbd","b":"3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7","c":"8d777f385d3dfec8815d20f7496026dc"}

select digest('x', 'nonsense');
--> ERROR 22023: Cannot use "nonsense": No such hash algorithm

select length(gen_random_bytes(16)) as a, gen_random_bytes(8) = gen_random_bytes(8) as b, length(encode(gen_random_bytes(32), 'hex')) as c, length(extensions.gen_random_bytes(1)) as d, pg_typeof(gen_random_uuid()) as e;
--> {"a":16,"b":false,"c":64,"d":1,"e":"uuid"}

select gen_random_bytes(0);
--> ERROR 39000: Length not in range

select gen_random_bytes(1025);
--> ERROR 39000: Length not in range

select encode(encrypt('some data', 'key', 'aes'), 'hex') as a, encode(encrypt('sixteen bytes!!!', '0123456789abcdef', 'aes-cbc'), 'hex') as b, encode(encrypt('x', '0123456789abcdef01234567', 'aes-ecb'), 'hex') as c, encode(encrypt('x', '0123456789abcdef0123456789abcdef', 'aes-cbc/pad:pkcs'), 'hex') as d, encode(encrypt('sixteen bytes!!!', 'k', 'aes/pad:none'), 'hex') as e, encode(encrypt_iv('data', 'key', '0123456789abcdef', 'aes'), 'hex') as f;
--> {"a":"0369dc8e618d3d1914973c6a7471ae41","b":"241ce3d6315c2c63e807abe46c283273f9c64c515884caa8a5cc4f9739848fb2","c":"9cdabf59b587d3cb1b9ef0524acb8ac4","d":"936acaddaeb1820f9d7cc541924c0a53","e":"2f42c82d05c8cbd2fb8310c258c24c24","f":"0eef913a41dee49a9de1888f094cf465"}

select convert_from(decrypt(encrypt('some data', 'key', 'aes'), 'key', 'aes'), 'UTF8') as a, convert_from(decrypt_iv(encrypt_iv('data', 'key', 'vector', 'aes-cbc'), 'key', 'vector', 'aes-cbc'), 'UTF8') as b, decrypt(encrypt('', 'key', 'aes'), 'key', 'aes') as c;
--> {"a":"some data","b":"data","c":{"type":"Buffer","data":[]}}

select decrypt('\x00', 'key', 'aes');
--> ERROR 39000: decrypt error: Decryption failed

select decrypt(encrypt('some data', 'key', 'aes'), 'other', 'aes');
--> ERROR 39000: decrypt error: Decryption failed

select encrypt('x', 'key', 'nonsense');
--> ERROR 22023: Cannot use "nonsense": No such cipher algorithm

select encrypt('x', '0123456789abcdef0123456789abcdef0', 'aes');
--> {"encrypt":{"type":"Buffer","data":[147,106,202,221,174,177,130,15,157,124,197,65,146,76,10,83]}}

select encrypt('x', 'key', 'aes/pad:none');
--> ERROR 39000: encrypt error: Encryption failed

select armor('hello') as a, armor(convert_to(repeat('x', 100), 'UTF8')) as b, dearmor(armor('hello')) as c;
--> {"a":"-----BEGIN PGP MESSAGE-----\n\naGVsbG8=\n=R/WK\n-----END PGP MESSAGE-----\n","b":"-----BEGIN PGP MESSAGE-----\n\neHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\neHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eA==\n=wbhF\n-----END PGP MESSAGE-----\n","c":{"type":"Buffer","data":[104,101,108,108,111]}}

select dearmor('nonsense');
--> ERROR 39000: Corrupt ascii-armor

create extension if not exists "uuid-ossp" with schema extensions;
--> no rows

select uuid_generate_v5(uuid_ns_url(), 'https://example.com') as a, extensions.uuid_generate_v3(uuid_ns_dns(), 'example.com') as b, uuid_ns_oid() as c, uuid_ns_x500() as d, uuid_nil() as e, substr(uuid_generate_v1()::text, 15, 1) as f, substr(uuid_generate_v1mc()::text, 15, 1) as g, uuid_generate_v1() = uuid_generate_v1() as h;
--> {"a":"4fd35a71-71ef-5a55-a9d9-aa75c889a6d0","b":"9073926b-929f-31c2-abc9-fad77ae3e8eb","c":"6ba7b812-9dad-11d1-80b4-00c04fd430c8","d":"6ba7b814-9dad-11d1-80b4-00c04fd430c8","e":"00000000-0000-0000-0000-000000000000","f":"1","g":"1","h":false}

select pgp_sym_decrypt(pgp_sym_encrypt('secret', 'key'), 'key');
--> {"pgp_sym_decrypt":"secret"}

select pgp_sym_decrypt(pgp_sym_encrypt(repeat('long text ', 5000), 'key'), 'key') = repeat('long text ', 5000) as same;
--> {"same":true}

select pgp_sym_decrypt(pgp_sym_encrypt('secret ä', 'key', 'cipher-algo=aes256, s2k-digest-algo=sha256, s2k-mode=1, unicode-mode=1'), 'key');
--> {"pgp_sym_decrypt":"secret ä"}

select pgp_sym_decrypt(pgp_sym_encrypt('secret', 'key', 'sess-key=1, cipher-algo=aes192, s2k-count=1024'), 'key');
--> {"pgp_sym_decrypt":"secret"}

select pgp_sym_decrypt(pgp_sym_encrypt('secret', 'key', 's2k-mode=0, s2k-digest-algo=md5, cipher-algo=aes256'), 'key');
--> {"pgp_sym_decrypt":"secret"}

select pgp_sym_decrypt_bytea(pgp_sym_encrypt_bytea('\x00ff61', 'key'), 'key');
--> {"pgp_sym_decrypt_bytea":{"type":"Buffer","data":[0,255,97]}}

select pgp_sym_decrypt(pgp_sym_encrypt_bytea('\x61', 'key'), 'key');
--> ERROR 39000: Not text data

select pgp_sym_decrypt(pgp_sym_encrypt('secret', 'key'), 'other');
--> ERROR 39000: Wrong key or corrupt data

select pgp_sym_decrypt('\x1234', 'key');
--> ERROR 39000: Wrong key or corrupt data

select pgp_sym_encrypt('a', 'key') = pgp_sym_encrypt('a', 'key') as same, length(pgp_sym_encrypt('a', 'key')), substring(pgp_sym_encrypt('a', 'key') for 6) as head;
--> {"same":false,"length":67,"head":{"type":"Buffer","data":[195,13,4,7,3,2]}}

select pgp_sym_encrypt(null, 'key'), pgp_sym_decrypt(null, 'key');
--> {"pgp_sym_encrypt":null,"pgp_sym_decrypt":null}

select pgp_sym_encrypt('a', 'key', 'nonsense=1');
--> ERROR 39000: Illegal argument to function

-- Messages that a server has made: without options, with a longer key, a key of the message's own, other digests, no digest at the end.

select pgp_sym_decrypt('\xc30d040703023259869e3a333a1174d2440102739e1e538786f20ebe86235eb57523e6fdeba319c9c09fbd704c79330dff35f8b91cc1985b1caf38805e7d1372806aaa1b9a5c21064157d7d02e9dddf324ed8f8e01', 'a key');
--> {"pgp_sym_decrypt":"made by a server ä"}

select pgp_sym_decrypt('\xc30d040903020768a74a3b9f175b70d24401f0c45f21d9c1ae93ceb0a9cf4656af4bb7a14af0f1edcff37bbeeaedc5ba0b81dba20ee77d7c49e095876606ed602c160903641018cf96ab68c51b6fad0491a93a5ac6', 'a key');
--> {"pgp_sym_decrypt":"made by a server ä"}

select pgp_sym_decrypt('\xc31e04070302a5fe20fe642877c679ccd514fbdcae8fa20038e57b6e6274864fd244019c8e0a5a0ecfeee1c9bd3c0b0e8f0ef938a7400cdc6864d5a617ee49bfc18eb5a26c81a5ec10662f909a4e910094f4eab5936c5b67b30f063a6938b4e88c94068505f2', 'a key');
--> {"pgp_sym_decrypt":"made by a server ä"}

select pgp_sym_decrypt('\xc30c0408010ac9550565f4d9c90cd24401f261592d67bd7cfe0a151022dd4d378f1319a647fd2a82eab8117b5256f610072f8cd11ab6b1b33e54bed02a6ffb1e6475ab86b747dd4db45e150a593bb0dc1ea352b5', 'a key');
--> {"pgp_sym_decrypt":"made by a server ä"}

select pgp_sym_decrypt('\xc30404070002d244018c7fafae9ed5ee811516f98e4333d86636176956d08ed6e144be31b12a8447ee24dff1078bb09753d367078460be21c2969a06b758d37677fbec29b259067ae76d4025', 'a key');
--> {"pgp_sym_decrypt":"made by a server ä"}

select pgp_sym_decrypt('\xc30d040703021ee9f1f0732599db77c92dd6613107888e29e4a870d4dcc995ad60decd1935c71442191de27661374f2de2ef1ba4bdc3066f78d2d6eafb50', 'a key');
--> {"pgp_sym_decrypt":"made by a server ä"}

select pgp_sym_decrypt('\xc30d04070302d0e30fdeb7fbda4378d2440165d35bf81dbdbf1cbefe351d15789f4fcbd20384c4b3a31dd2b3cb2f35d150b67b0ace65ba2fbfbc6491410c7a88df718c26f94d5d50be9aa9e7d49ebe06189bf96b4a', 'a key');
--> {"pgp_sym_decrypt":"made by a server ä"}
