-- Vectors of passages, for search by meaning inside documents. Equal texts share their passages and so their vectors.
create table passage_vectors (
  text_hash text not null,
  chunk_no integer not null,
  model_id integer not null references embedding_models (id) on delete cascade,
  -- Components are little-endian float32 of length 1.
  vector bytea not null,
  primary key (text_hash, chunk_no),
  foreign key (text_hash, chunk_no) references passages (text_hash, chunk_no) on delete cascade
);
create index passage_vectors_model on passage_vectors (model_id);

-- The model of the vectors, once every passage of the text has one.
alter table passage_texts add column model_id integer references embedding_models (id) on delete set null;
-- Failures to embed the text. It is given up after a few.
alter table passage_texts add column attempts integer not null default 0;

-- The model of the vectors in the index; null for documents without vectors.
alter table item_passages add column model_id integer;

-- Passages have vectors of their own now.
alter table vectors drop column passage;
