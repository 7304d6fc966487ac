-- Vectors of texts. They are kept apart from the items, so that no read of an item carries them along.

-- Everything that vectors depend on except the text. Vectors of different models cannot be compared.
create table embedding_models (
  id integer generated always as identity primary key,
  fingerprint text not null unique,
  name text not null,
  revision text not null,
  dimension integer not null check (dimension between 1 and 8192),
  runtime text not null,
  first_used_at timestamptz not null default now()
);

-- A text is identified by the first 16 bytes of its SHA-256, so equal texts are embedded once, whichever items or passages they belong to.
-- Components are little-endian float32 of length 1.
create table vectors (
  model_id integer not null references embedding_models (id) on delete cascade,
  text_hash bytea not null check (length(text_hash) = 16),
  vector bytea not null,
  -- Used by passages, which delete it themselves. Vectors of items are deleted when no item has their text any more.
  passage boolean not null default false,
  primary key (model_id, text_hash)
);

-- The text of an item as it was embedded last. The search document of the item contains this vector.
create table item_vectors (
  item_id uuid primary key references items (id) on delete cascade,
  model_id integer not null,
  text_hash bytea not null,
  foreign key (model_id, text_hash) references vectors (model_id, text_hash) on delete cascade
);
create index item_vectors_text on item_vectors (model_id, text_hash);

-- Items whose text changed since it was embedded. The projector adds them while it writes their documents, so a scan pays nothing. `seq`
-- changes when an item is added again: the row of an item that changes while it is being embedded stays.
create sequence embed_pending_seq;
create table embed_pending (
  item_id uuid primary key references items (id) on delete cascade,
  seq bigint not null default nextval('embed_pending_seq'),
  attempts integer not null default 0
);
create index embed_pending_order on embed_pending (attempts, seq);
