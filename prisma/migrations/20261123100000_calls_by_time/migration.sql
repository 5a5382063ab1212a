-- Calls by time, their values apart from what lists read, prices, and settings of projects.
--
-- Why ranges of ids. A call is found by its id, and its halves may come in any order, so an id must be unique in its
-- project whatever time the call began at, and must lead to its partition by itself. Postgres' unique keys contain the
-- key of the partitions. A partition per `started_at` would need a second table of ids (a third more time for each
-- insert), and a start that comes again with another time would have to move. UUIDv7 ids, which this server and the
-- tracing SDKs make, begin with their time and sort by it: a range of ids is a range of time, the primary key stays
-- (project_id, id), and an upsert stays one statement. Measured with 100,000 calls of 2 KiB in batches of 100: as fast as
-- one table (13,000 rows/s), a table of ids beside it 11,000. Ids that carry no time are in one partition, `undated`.
--
-- Why values apart. The columns that lists filter and sort by take 240 bytes a call, its values 2 KiB and more: a
-- filter without an index reads a seventh. Storing them apart costs no time that could be measured.

ALTER TABLE "calls" RENAME TO "calls_before";
ALTER TABLE "calls_before" RENAME CONSTRAINT "calls_pkey" TO "calls_before_pkey";

CREATE TABLE "calls" (
    "project_id" UUID NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "op_name" TEXT COLLATE "C",
    "display_name" TEXT COLLATE "C",
    "trace_id" TEXT COLLATE "C",
    "parent_id" TEXT COLLATE "C",
    "thread_id" TEXT COLLATE "C",
    "turn_id" TEXT COLLATE "C",
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "exception" TEXT COLLATE "C",
    "has_descendant_error" BOOLEAN NOT NULL DEFAULT false,
    "start_bytes" BIGINT NOT NULL DEFAULT 0,
    "end_bytes" BIGINT NOT NULL DEFAULT 0,
    "input_refs" TEXT[] COLLATE "C" NOT NULL DEFAULT '{}',
    "output_refs" TEXT[] COLLATE "C" NOT NULL DEFAULT '{}',
    "svc_user_id" UUID NOT NULL,
    "run_id" TEXT COLLATE "C",
    "run_step" INTEGER,
    "run_step_end" INTEGER,
    "deleted_at" TIMESTAMPTZ(3),
    -- Written by the version before this one only; a trigger moves them to `call_values`.
    "attributes_text" TEXT,
    "attributes_blob" TEXT,
    "attributes_json" JSONB,
    "inputs_text" TEXT,
    "inputs_blob" TEXT,
    "output_text" TEXT,
    "output_blob" TEXT,
    "summary_text" TEXT,
    "summary_blob" TEXT,
    "summary_json" JSONB,

    CONSTRAINT "calls_pkey" PRIMARY KEY ("project_id","id")
) PARTITION BY RANGE ("id");

CREATE TABLE "call_values" (
    "project_id" UUID NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "attributes_text" TEXT,
    "attributes_blob" TEXT,
    "attributes_json" JSONB,
    "inputs_text" TEXT,
    "inputs_blob" TEXT,
    "inputs_json" JSONB,
    "output_text" TEXT,
    "output_blob" TEXT,
    "output_json" JSONB,
    "summary_text" TEXT,
    "summary_blob" TEXT,
    "summary_json" JSONB,

    CONSTRAINT "call_values_pkey" PRIMARY KEY ("project_id","id")
) PARTITION BY RANGE ("id");

-- Half a year each until the end of 2030, made ahead, so that nothing has to make them while calls come in. Few, because
-- each costs every page 0.05 ms and every connection memory.
-- `earlier`: ids of the time before, and what sorts there. `later`: ids of the time after, until 2039. `undated`: all else.
DO $$
DECLARE
  parent text;
  lower_id text;
  upper_id text;
  month timestamptz;
BEGIN
  FOREACH parent IN ARRAY ARRAY['calls', 'call_values'] LOOP
    lower_id := NULL;
    FOR half IN 0..9 LOOP
      month := make_timestamptz(2026, 7, 1, 0, 0, 0, 'UTC') + make_interval(months => 6 * half);
      upper_id := lpad(to_hex((extract(epoch FROM month) * 1000)::bigint), 12, '0');
      upper_id := left(upper_id, 8) || '-' || right(upper_id, 4);
      IF lower_id IS NULL THEN
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (MINVALUE) TO (%L)', parent || '_earlier', parent, upper_id);
      ELSE
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
          parent || to_char((month - interval '6 months') AT TIME ZONE 'UTC', '_YYYY_MM'), parent, lower_id, upper_id);
      END IF;
      lower_id := upper_id;
    END LOOP;
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (''02'')', parent || '_later', parent, lower_id);
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (''02'') TO (MAXVALUE)', parent || '_undated', parent);
  END LOOP;
END $$;

-- What expressions read of a value that jsonb refuses: the copy without its odd characters, or null. Values that jsonb
-- takes have no copy, they are read from their text.
CREATE FUNCTION "hone_json_copy"(value text, copy jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  PERFORM value::jsonb;
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RETURN coalesce(copy, 'null'::jsonb);
END $$;

CREATE FUNCTION "hone_has_descendant_error"(summary jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_typeof(summary #> '{status_counts,error}') = 'number'
    AND (summary #> '{status_counts,error}')::numeric > 0, false)
$$;

INSERT INTO "call_values"
SELECT project_id, id, attributes_text, attributes_blob, hone_json_copy(attributes_text, attributes_json),
  inputs_text, inputs_blob, hone_json_copy(inputs_text, NULL), output_text, output_blob, hone_json_copy(output_text, NULL),
  summary_text, summary_blob, hone_json_copy(summary_text, summary_json)
FROM "calls_before";

CREATE FUNCTION "hone_value_bytes"(project uuid, value text, blob text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN blob IS NULL THEN coalesce(octet_length(value), 0)::bigint
    ELSE (SELECT coalesce(sum(octet_length(bytes)), 0) FROM blob_chunks WHERE project_id = project AND blob_key = blob) END
$$;

INSERT INTO "calls" (project_id, id, op_name, display_name, trace_id, parent_id, thread_id, turn_id, started_at, ended_at,
  exception, has_descendant_error, start_bytes, end_bytes, input_refs, output_refs, svc_user_id, run_id, run_step,
  run_step_end, deleted_at)
SELECT project_id, id, op_name, display_name, trace_id, parent_id, thread_id, turn_id, started_at, ended_at, exception,
  hone_has_descendant_error(summary_json),
  hone_value_bytes(project_id, attributes_text, attributes_blob) + hone_value_bytes(project_id, inputs_text, inputs_blob),
  hone_value_bytes(project_id, output_text, output_blob) + hone_value_bytes(project_id, summary_text, summary_blob),
  coalesce(input_refs, '{}'), coalesce(output_refs, '{}'), svc_user_id, run_id, run_step, run_step_end, deleted_at
FROM "calls_before";

DROP TABLE "calls_before";

-- The version before this one may still write: its values go where this version reads them.
CREATE FUNCTION "hone_move_call_values"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_start boolean := NEW.attributes_text IS NOT NULL OR NEW.attributes_blob IS NOT NULL;
  has_end boolean := NEW.summary_text IS NOT NULL OR NEW.summary_blob IS NOT NULL;
BEGIN
  INSERT INTO call_values AS v VALUES (NEW.project_id, NEW.id,
    NEW.attributes_text, NEW.attributes_blob, hone_json_copy(NEW.attributes_text, NEW.attributes_json),
    NEW.inputs_text, NEW.inputs_blob, hone_json_copy(NEW.inputs_text, NULL),
    NEW.output_text, NEW.output_blob, hone_json_copy(NEW.output_text, NULL),
    NEW.summary_text, NEW.summary_blob, hone_json_copy(NEW.summary_text, NEW.summary_json))
  ON CONFLICT (project_id, id) DO UPDATE SET
    attributes_text = CASE WHEN has_start THEN excluded.attributes_text ELSE v.attributes_text END,
    attributes_blob = CASE WHEN has_start THEN excluded.attributes_blob ELSE v.attributes_blob END,
    attributes_json = CASE WHEN has_start THEN excluded.attributes_json ELSE v.attributes_json END,
    inputs_text = CASE WHEN has_start THEN excluded.inputs_text ELSE v.inputs_text END,
    inputs_blob = CASE WHEN has_start THEN excluded.inputs_blob ELSE v.inputs_blob END,
    inputs_json = CASE WHEN has_start THEN excluded.inputs_json ELSE v.inputs_json END,
    output_text = CASE WHEN has_end THEN excluded.output_text ELSE v.output_text END,
    output_blob = CASE WHEN has_end THEN excluded.output_blob ELSE v.output_blob END,
    output_json = CASE WHEN has_end THEN excluded.output_json ELSE v.output_json END,
    summary_text = CASE WHEN has_end THEN excluded.summary_text ELSE v.summary_text END,
    summary_blob = CASE WHEN has_end THEN excluded.summary_blob ELSE v.summary_blob END,
    summary_json = CASE WHEN has_end THEN excluded.summary_json ELSE v.summary_json END;
  IF has_start THEN
    NEW.start_bytes := hone_value_bytes(NEW.project_id, NEW.attributes_text, NEW.attributes_blob)
      + hone_value_bytes(NEW.project_id, NEW.inputs_text, NEW.inputs_blob);
  END IF;
  IF has_end THEN
    NEW.end_bytes := hone_value_bytes(NEW.project_id, NEW.output_text, NEW.output_blob)
      + hone_value_bytes(NEW.project_id, NEW.summary_text, NEW.summary_blob);
    NEW.has_descendant_error := hone_has_descendant_error(NEW.summary_json);
  END IF;
  NEW.input_refs := coalesce(NEW.input_refs, '{}');
  NEW.output_refs := coalesce(NEW.output_refs, '{}');
  NEW.attributes_text := NULL; NEW.attributes_blob := NULL; NEW.attributes_json := NULL;
  NEW.inputs_text := NULL; NEW.inputs_blob := NULL;
  NEW.output_text := NULL; NEW.output_blob := NULL;
  NEW.summary_text := NULL; NEW.summary_blob := NULL; NEW.summary_json := NULL;
  RETURN NEW;
END $$;

CREATE TRIGGER "calls_move_values" BEFORE INSERT OR UPDATE ON "calls" FOR EACH ROW
WHEN (NEW.attributes_text IS NOT NULL OR NEW.attributes_blob IS NOT NULL OR NEW.summary_text IS NOT NULL
  OR NEW.summary_blob IS NOT NULL)
EXECUTE FUNCTION "hone_move_call_values"();

-- One index for each way in which lists walk calls. Those that are shown: neither deleted nor without their start.
CREATE INDEX "calls_shown_idx" ON "calls" ("project_id", "started_at", "id") WHERE "deleted_at" IS NULL AND "started_at" IS NOT NULL;
CREATE INDEX "calls_shown_roots_idx" ON "calls" ("project_id", "started_at", "id") WHERE "deleted_at" IS NULL AND "started_at" IS NOT NULL AND "parent_id" IS NULL;
CREATE INDEX "calls_shown_op_idx" ON "calls" ("project_id", "op_name", "started_at", "id") WHERE "deleted_at" IS NULL AND "started_at" IS NOT NULL;
CREATE INDEX "calls_shown_trace_idx" ON "calls" ("project_id", "trace_id", "started_at", "id") WHERE "deleted_at" IS NULL AND "started_at" IS NOT NULL;
CREATE INDEX "calls_parent_idx" ON "calls" ("project_id", "parent_id") WHERE "parent_id" IS NOT NULL;
CREATE INDEX "calls_shown_thread_idx" ON "calls" ("project_id", "thread_id", "started_at") WHERE "deleted_at" IS NULL AND "started_at" IS NOT NULL AND "thread_id" IS NOT NULL;
CREATE INDEX "calls_input_refs_idx" ON "calls" USING GIN ("input_refs") WHERE "input_refs" <> '{}';
CREATE INDEX "calls_output_refs_idx" ON "calls" USING GIN ("output_refs") WHERE "output_refs" <> '{}';

-- CreateTable
CREATE TABLE "costs" (
    "project_id" UUID NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "model" TEXT COLLATE "C" NOT NULL,
    "provider_id" TEXT COLLATE "C" NOT NULL,
    "prompt_token_cost" DOUBLE PRECISION NOT NULL,
    "completion_token_cost" DOUBLE PRECISION NOT NULL,
    "effective_date" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID NOT NULL,

    CONSTRAINT "costs_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "project_settings" (
    "project_id" UUID NOT NULL,
    "retention_days" INTEGER,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_by" UUID NOT NULL,

    CONSTRAINT "project_settings_pkey" PRIMARY KEY ("project_id")
);

-- CreateIndex
CREATE INDEX "costs_project_id_model_effective_date_idx" ON "costs"("project_id", "model", "effective_date");
