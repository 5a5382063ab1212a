-- Items of jobs (`kind` is their table) some of whose requests have no known cost yet. The usage records have it, perhaps when the
-- item is gone: then `booked_nano_usd` is what it had cost. Records older than `created_at` are not looked at: the requests of the
-- first `attempts_before` attempts, which cost `cost_before_nano_usd`.
CREATE TABLE "open_costs" (
    "project_id" UUID NOT NULL,
    "uid" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "job_id" UUID NOT NULL,
    "item_id" TEXT COLLATE "C" NOT NULL,
    "booked_nano_usd" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts_before" INTEGER NOT NULL DEFAULT 0,
    "cost_before_nano_usd" BIGINT NOT NULL DEFAULT 0,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "look_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "open_costs_pkey" PRIMARY KEY ("project_id","uid")
);
CREATE INDEX "open_costs_kind_look_at_idx" ON "open_costs"("kind", "look_at");

-- When an item was last retried on request while none of its costs was open, after how many attempts, and what these had cost.
-- Without them the costs of an old item would be looked for since it was made, in records that no index has by item.
ALTER TABLE "verdicts" ADD COLUMN "retried_at" TIMESTAMPTZ(3), ADD COLUMN "attempts_before" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "cost_before_nano_usd" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "evaluation_cells" ADD COLUMN "retried_at" TIMESTAMPTZ(3), ADD COLUMN "attempts_before" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "cost_before_nano_usd" BIGINT NOT NULL DEFAULT 0;

-- Triggers, so that items are found by whichever way they are deleted, and by whichever version they are changed.
-- Arguments: columns of the item's job and of its id.
CREATE FUNCTION "hone_open_cost"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  item jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
  INSERT INTO open_costs (project_id, uid, kind, job_id, item_id, booked_nano_usd, created_at, attempts_before, cost_before_nano_usd,
    opened_at, look_at)
  VALUES ((item ->> 'project_id')::uuid, item ->> 'uid', TG_TABLE_NAME, (item ->> TG_ARGV[0])::uuid, item ->> TG_ARGV[1],
    CASE TG_OP WHEN 'DELETE' THEN (item ->> 'cost_nano_usd')::bigint END,
    coalesce(item ->> 'retried_at', item ->> 'created_at')::timestamptz, (item ->> 'attempts_before')::int,
    (item ->> 'cost_before_nano_usd')::bigint, now(), now() + interval '2 seconds')
  ON CONFLICT (project_id, uid) DO UPDATE SET booked_nano_usd = EXCLUDED.booked_nano_usd, opened_at = EXCLUDED.opened_at,
    look_at = EXCLUDED.look_at;
  RETURN NULL;
END $$;

CREATE TRIGGER "verdicts_cost_opened" AFTER UPDATE ON "verdicts" FOR EACH ROW
WHEN (NEW.is_cost_open AND (NOT OLD.is_cost_open OR NEW.state <> OLD.state OR NEW.attempt <> OLD.attempt))
EXECUTE FUNCTION "hone_open_cost"('scoring_id', 'call_id');
CREATE TRIGGER "verdicts_deleted_cost" AFTER DELETE ON "verdicts" FOR EACH ROW
WHEN (OLD.is_cost_open OR OLD.state = 'running') EXECUTE FUNCTION "hone_open_cost"('scoring_id', 'call_id');
CREATE TRIGGER "evaluation_cells_cost_opened" AFTER UPDATE ON "evaluation_cells" FOR EACH ROW
WHEN (NEW.is_cost_open AND (NOT OLD.is_cost_open OR NEW.state <> OLD.state OR NEW.attempt <> OLD.attempt))
EXECUTE FUNCTION "hone_open_cost"('job_id', 'uid');
CREATE TRIGGER "evaluation_cells_deleted_cost" AFTER DELETE ON "evaluation_cells" FOR EACH ROW
WHEN (OLD.is_cost_open OR OLD.state = 'running') EXECUTE FUNCTION "hone_open_cost"('job_id', 'uid');

-- What was settled before, and is open.
INSERT INTO "open_costs" ("project_id", "uid", "kind", "job_id", "item_id", "created_at", "opened_at", "look_at")
SELECT "project_id", "uid"::text, 'verdicts', "scoring_id", "call_id", "created_at", "settled_at", now() FROM "verdicts"
WHERE "is_cost_open" AND "settled_at" IS NOT NULL
UNION ALL
SELECT "project_id", "uid", 'evaluation_cells', "job_id", "uid", "created_at", "settled_at", now() FROM "evaluation_cells"
WHERE "is_cost_open" AND "settled_at" IS NOT NULL;
