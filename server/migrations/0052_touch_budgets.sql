-- How many items somebody has opened in the running minute; kept here, so that all processes count together.
create unlogged table touch_budgets (
  subject uuid primary key,
  minute timestamptz not null,
  used integer not null
);
