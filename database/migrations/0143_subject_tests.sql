-- A newsletter can test two subjects on parts of its audience. The rest get the one with more clicks.
alter table newsletters
  -- A second subject or preview text makes it a test. Each variant goes to `test_percent` of the audience; at 50,
  -- nobody else remains.
  add column subject_b text not null default '' check (char_length(subject_b) <= 150),
  add column preview_b text not null default '',
  add column test_percent integer not null default 10 check (test_percent in (10, 25, 50)),
  -- Hours until the rest get the winner. null: staff choose.
  add column test_hours integer default 4 check (test_hours between 1 and 72),
  -- The time when the last email of the test was sent.
  add column tested_at timestamptz,
  add column winner text check (winner in ('a', 'b')),
  -- Test subscribers whose queued email was withdrawn because staff paused sending after choosing the winner.
  add column returned_ids bigint[] not null default '{}',
  add column past_sent_a integer not null default 0,
  add column past_sent_b integer not null default 0;
alter table newsletter_links
  add column clicks_a integer not null default 0,
  add column clicks_b integer not null default 0;
