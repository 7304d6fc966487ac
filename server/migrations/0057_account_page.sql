-- Whether the cookie of a session outlives the browser. The person chooses it at sign-in.
alter table sessions add column persistent boolean not null default true;

-- When the password was last set; null where no event of the audit log tells.
alter table principals add column password_changed_at timestamptz;
update principals p set password_changed_at = e.ts
from (select details ->> 'user_id' as user_id, max(ts) as ts from security_events where event_type = 'password_change' group by 1) e
where e.user_id = p.id::text and p.password_hash is not null;

-- Sign-in by the e-mail address of a local account.
create index principals_email on principals (lower(email)) where auth_provider = 'local';
