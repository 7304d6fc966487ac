-- Items hashed under an older scheme, found without reading the others. While nothing is stale the index is empty and costs nothing. It
-- names the scheme: whoever raises `scheme` (catalog/hash/scheme.ts) makes the index anew in a migration, and a test holds them to it.
create index items_stale_hash on items (library_id, id)
  where status = 'active' and quick_hash is not null and (policy_version is null or policy_version not like 'h1:%');
