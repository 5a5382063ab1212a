-- Scorers that judge new calls as they come.
CREATE TABLE "monitors" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "scorer_id" TEXT COLLATE "C" NOT NULL,
    "scorer_digest" TEXT NOT NULL,
    "selection" JSONB NOT NULL,
    "sample_rate" DOUBLE PRECISION NOT NULL,
    "max_cost_nano_usd_per_day" BIGINT,
    "is_paused" BOOLEAN NOT NULL DEFAULT false,
    "key_id" UUID NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "monitors_pkey" PRIMARY KEY ("project_id","id")
);
CREATE UNIQUE INDEX "monitors_id_key" ON "monitors"("id");
CREATE UNIQUE INDEX "monitors_project_id_name_key" ON "monitors"("project_id", "name");

-- What a monitor judges on a day (UTC) with one version of its scorer is a scoring, with what is left of the day's budget.
ALTER TABLE "scorings" ADD COLUMN "monitor_id" UUID, ADD COLUMN "monitor_day" DATE;
CREATE UNIQUE INDEX "scorings_monitor_id_monitor_day_scorer_digest_key" ON "scorings"("monitor_id", "monitor_day", "scorer_digest");

-- Calls of projects with monitors whose values were written, until monitors have looked at them.
CREATE TABLE "monitor_queue" (
    "project_id" UUID NOT NULL,
    "seq" BIGINT GENERATED ALWAYS AS IDENTITY,
    "call_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "monitor_queue_pkey" PRIMARY KEY ("project_id","seq")
);

-- Triggers, so that a write of any service is found.
CREATE FUNCTION "hone_queue_for_monitors"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO monitor_queue (project_id, call_id) SELECT w.project_id, w.id FROM written w
  WHERE w.project_id IN (SELECT m.project_id FROM monitors m WHERE NOT m.is_paused);
  RETURN NULL;
END $$;
CREATE TRIGGER "call_values_inserted_monitors" AFTER INSERT ON "call_values" REFERENCING NEW TABLE AS written
FOR EACH STATEMENT EXECUTE FUNCTION "hone_queue_for_monitors"();
CREATE TRIGGER "call_values_updated_monitors" AFTER UPDATE ON "call_values" REFERENCING NEW TABLE AS written
FOR EACH STATEMENT EXECUTE FUNCTION "hone_queue_for_monitors"();
