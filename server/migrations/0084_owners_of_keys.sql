-- Searches, reports, pins and cleanup plans that were made with a limited key belonged to the key alone, and to nobody once it was revoked.
-- They belong to the account as well; key_id is the limited key.
alter table saved_searches add column key_id uuid;
drop index saved_searches_name;
update saved_searches s set owner_id = coalesce(k.principal_id, k.service_account_id), key_id = k.id from api_keys k where k.id = s.owner_id;
create unique index saved_searches_name on saved_searches (owner_id, key_id, lower(name)) nulls not distinct;

alter table custom_reports add column key_id uuid;
drop index custom_reports_name;
update custom_reports r set owner_id = coalesce(k.principal_id, k.service_account_id), key_id = k.id from api_keys k where k.id = r.owner_id;
create unique index custom_reports_name on custom_reports (owner_id, key_id, lower(name)) nulls not distinct;

alter table duplicate_plans add column key_id uuid, drop constraint duplicate_plans_owner_id_key;
update duplicate_plans p set owner_id = coalesce(k.principal_id, k.service_account_id), key_id = k.id from api_keys k where k.id = p.owner_id;
alter table duplicate_plans add unique nulls not distinct (owner_id, key_id);

alter table report_pins add column key_id uuid, drop constraint report_pins_owner_id_report_id_key;
update report_pins p set owner_id = coalesce(k.principal_id, k.service_account_id), key_id = k.id from api_keys k where k.id = p.owner_id;
alter table report_pins add unique nulls not distinct (owner_id, key_id, report_id);
