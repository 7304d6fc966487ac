-- Messages of one thread. A reference can be longer than an index entry may be.
create index items_email_thread on items (left(metadata ->> 'email_thread', 200)) where metadata ? 'email_thread';
