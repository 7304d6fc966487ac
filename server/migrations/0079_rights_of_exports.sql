-- What the owner could see when the export was made. It can be downloaded only while all of that is still allowed; null is unknown.
alter table exports add column rights jsonb;

-- What a run exported: its report and filters. Rows of another report or other filters are not compared.
alter table export_digests add column subject text not null default '';
