-- Cleanup plans for duplicate files.

-- What a person wants to keep of each duplicate group. The plan itself is never stored: it follows from the rules and the files.
create table duplicate_plans (
  id bigint generated always as identity primary key,
  -- Account or service account; null when authentication is off.
  owner_id uuid,
  -- In order of precedence; insight/duplicates/rules.ts describes them.
  rules jsonb not null,
  -- A digest of what would be kept and removed when a person reviewed it. A script is written only while it still agrees.
  reviewed_digest text,
  reviewed_at timestamptz,
  reviewed_by text,
  unique nulls not distinct (owner_id)
);
-- Copies that a person chose to keep against the rules.
create table duplicate_choices (
  plan_id bigint not null references duplicate_plans (id) on delete cascade,
  key text not null,
  item_id uuid not null,
  primary key (plan_id, key)
);
