-- Versions of the agent program. Manifests are signed; the programs are files below SVC_AGENT_RELEASES_DIR.
create table agent_releases (
  version text primary key,
  manifest jsonb not null,
  uploaded_at timestamptz not null default now(),
  uploaded_by uuid,
  -- A withdrawn release is never offered again, and its files are removed. The record stays, so that the version is never used twice.
  withdrawn_at timestamptz
);
create table agent_release_files (
  version text not null references agent_releases (version) on delete cascade,
  filename text not null,
  received_at timestamptz not null default now(),
  primary key (version, filename)
);
