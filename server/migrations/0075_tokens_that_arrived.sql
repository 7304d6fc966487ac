-- Whether the current token of a session was ever shown by its browser. Until then the answer that carried it may have been lost, and the
-- former token still opens the session.
alter table sessions add column token_used boolean not null default true;
