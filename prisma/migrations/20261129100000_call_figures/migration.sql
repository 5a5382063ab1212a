-- What lists and charts need of the values of calls, in columns: filled when a half is written, and of calls that are
-- there already by a job of the trace service, which finds them by an index of its own. Meanwhile reads parse the values.
ALTER TABLE "calls"
ADD COLUMN "is_start_derived" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "is_end_derived" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "input_preview" TEXT,
ADD COLUMN "output_preview" TEXT,
ADD COLUMN "error_class" TEXT COLLATE "C",
ADD COLUMN "end_user" TEXT COLLATE "C",
ADD COLUMN "prompt_ref" TEXT COLLATE "C",
ADD COLUMN "checkpoint_id" TEXT COLLATE "C",
ADD COLUMN "first_token_ms" DOUBLE PRECISION,
ADD COLUMN "model" TEXT COLLATE "C",
ADD COLUMN "requests" DOUBLE PRECISION,
ADD COLUMN "prompt_tokens" DOUBLE PRECISION,
ADD COLUMN "completion_tokens" DOUBLE PRECISION,
ADD COLUMN "total_tokens" DOUBLE PRECISION,
ADD COLUMN "cached_tokens" DOUBLE PRECISION,
ADD COLUMN "cache_write_tokens" DOUBLE PRECISION,
ADD COLUMN "reasoning_tokens" DOUBLE PRECISION,
ADD COLUMN "usage_by_model" JSONB;

CREATE INDEX "calls_underived_idx" ON "calls" ("project_id", "id")
WHERE "erased_at" IS NULL AND (("started_at" IS NOT NULL AND NOT "is_start_derived") OR ("ended_at" IS NOT NULL AND NOT "is_end_derived"));

-- Few calls have these, and one asks for the newest of a value.
CREATE INDEX "calls_shown_user_idx" ON "calls" ("project_id", "end_user", "started_at", "id")
WHERE "deleted_at" IS NULL AND "started_at" IS NOT NULL AND "end_user" IS NOT NULL;
CREATE INDEX "calls_shown_error_class_idx" ON "calls" ("project_id", "error_class", "started_at", "id")
WHERE "deleted_at" IS NULL AND "started_at" IS NOT NULL AND "error_class" IS NOT NULL;

-- Sums of the calls that began in an hour or a day. One is read from here while `call_hour_changes` has no row of its hours.
CREATE TABLE "call_sums" (
    "id" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "period" TEXT COLLATE "C" NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "op_name" TEXT COLLATE "C" NOT NULL,
    "model" TEXT COLLATE "C",
    "status" TEXT COLLATE "C" NOT NULL,
    "is_root" BOOLEAN NOT NULL,
    "calls" BIGINT NOT NULL,
    "ended" BIGINT NOT NULL,
    "latency_ms" DOUBLE PRECISION NOT NULL,
    "latency_keys" INTEGER[] NOT NULL,
    "latency_counts" BIGINT[] NOT NULL,
    "requests" DOUBLE PRECISION NOT NULL,
    "prompt_tokens" DOUBLE PRECISION NOT NULL,
    "completion_tokens" DOUBLE PRECISION NOT NULL,
    "total_tokens" DOUBLE PRECISION NOT NULL,
    "cached_tokens" DOUBLE PRECISION NOT NULL,
    "cache_write_tokens" DOUBLE PRECISION NOT NULL,
    "reasoning_tokens" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "call_sums_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "call_sums_project_id_period_since_idx" ON "call_sums"("project_id", "period", "since");

-- Hours whose calls have changed since their sums were made: rows are only added, so that writers never wait for each other.
CREATE TABLE "call_hour_changes" (
    "id" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "call_hour_changes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "call_hour_changes_project_id_hour_idx" ON "call_hour_changes"("project_id", "hour");

-- Triggers, so that no way of writing calls can forget it, that of the version before included.
CREATE FUNCTION "hone_mark_inserted_hours"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_hour_changes (project_id, hour)
  SELECT DISTINCT project_id, date_trunc('hour', started_at, 'UTC') FROM new_calls WHERE started_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE FUNCTION "hone_mark_updated_hours"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_hour_changes (project_id, hour)
  SELECT project_id, date_trunc('hour', started_at, 'UTC') FROM old_calls WHERE started_at IS NOT NULL
  UNION
  SELECT project_id, date_trunc('hour', started_at, 'UTC') FROM new_calls WHERE started_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE FUNCTION "hone_mark_deleted_hours"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_hour_changes (project_id, hour)
  SELECT DISTINCT project_id, date_trunc('hour', started_at, 'UTC') FROM old_calls WHERE started_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER "calls_inserted_hours" AFTER INSERT ON "calls" REFERENCING NEW TABLE AS new_calls
FOR EACH STATEMENT EXECUTE FUNCTION "hone_mark_inserted_hours"();
CREATE TRIGGER "calls_updated_hours" AFTER UPDATE ON "calls" REFERENCING OLD TABLE AS old_calls NEW TABLE AS new_calls
FOR EACH STATEMENT EXECUTE FUNCTION "hone_mark_updated_hours"();
CREATE TRIGGER "calls_deleted_hours" AFTER DELETE ON "calls" REFERENCING OLD TABLE AS old_calls
FOR EACH STATEMENT EXECUTE FUNCTION "hone_mark_deleted_hours"();

INSERT INTO "call_hour_changes" (project_id, hour)
SELECT DISTINCT project_id, date_trunc('hour', started_at, 'UTC') FROM "calls" WHERE started_at IS NOT NULL;
