-- Usage records of an item of a job, whose uid begins the ids of its requests: late costs are found by it. Other requests have
-- no entry. Of the partitions that there are, those of today and yesterday get it, and hold their writers, whose journals
-- wait: to index the whole history would hold them for minutes, for rows that nobody looks for. New partitions have it.
CREATE INDEX "usage_records_item_idx" ON ONLY "usage_records" ("project_id", left("rid", 36)) WHERE substr("rid", 37, 1) = '.';

DO $$
DECLARE
  part text;
  since text := 'usage_records_' || to_char((now() AT TIME ZONE 'UTC') - interval '1 day', 'YYYYMMDD');
BEGIN
  FOR part IN SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'usage_records'::regclass AND c.relname >= since LOOP
    EXECUTE format('CREATE INDEX %I ON %I ("project_id", left("rid", 36)) WHERE substr("rid", 37, 1) = ''.''',
      part || '_item_idx', part);
    EXECUTE format('ALTER INDEX usage_records_item_idx ATTACH PARTITION %I', part || '_item_idx');
  END LOOP;
END $$;
