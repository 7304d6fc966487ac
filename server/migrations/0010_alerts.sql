-- Encrypted values by name, such as alert-channel/<id>/password. key_id names the key, so that a rotation can be repeated at any point.
create table secrets (
  name text primary key,
  key_id text not null,
  ciphertext text not null,
  updated_at timestamptz not null default now()
);
