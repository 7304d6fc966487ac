-- While two machines use one identity, changes of both are held back until an administrator decides which one keeps it. `runs` names the
-- runs of the program that reported last, with the address and the host name of each; `kept_run` is the one that shall make a new key.
alter table agents add column runs jsonb not null default '[]';
alter table agents add column clone_held_at timestamptz;
alter table agents add column kept_run text;
alter table agents add column reported_cloned boolean not null default false;
