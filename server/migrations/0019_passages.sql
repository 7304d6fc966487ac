-- Passages: parts of texts, for search inside documents, and calls of assistants.

-- A text that was divided into passages. Items with the same text share it.
create table passage_texts (
  -- SHA-256 of the text.
  hash text primary key,
  -- Version of the rules and the settings under which the text was divided.
  shape text not null,
  passages integer not null
);

-- Ranges are in UTF-16 units of the text, as the text route returns it. The text itself is stored with the item.
create table passages (
  text_hash text not null references passage_texts (hash) on delete cascade,
  chunk_no integer not null,
  start_at integer not null,
  end_at integer not null,
  -- Page, slide or sheet, from 1; null for a text without such breaks.
  page integer,
  heading text,
  primary key (text_hash, chunk_no)
);

-- What the passage index has of an item. The row outlives its item until the documents are removed from the index.
create table item_passages (
  item_id uuid primary key,
  text_hash text not null references passage_texts (hash),
  shape text not null,
  -- Passages 0 to documents - 1 may be in the index.
  documents integer not null,
  -- Fingerprint of the document of the item, from which the passage documents take their facts.
  item_fingerprint text not null
);
create index item_passages_text on item_passages (text_hash);

-- Items whose passages must be divided or indexed again. The projector of the item index adds the items it writes.
create table passage_outbox (
  seq bigint generated always as identity primary key,
  item_id uuid not null
);
create index passage_outbox_item on passage_outbox (item_id);

-- Calls of assistants per minute, shared by all processes.
create unlogged table assistant_budgets (
  subject text primary key,
  minute timestamptz not null,
  used integer not null
);
