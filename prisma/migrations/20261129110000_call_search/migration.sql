-- What calls are found by: for each side the numbers (32-bit hashes) of its words in their order, made by the trace
-- service beside the writes. The words themselves are not here. Numbers in place of a tsvector: with 1.7 KB of prose a call,
-- measured on 300,000 calls, a row with its index takes half of what a tsvector with positions takes; phrases are checked
-- on the row, no language's dictionary and no locale has a part in it, and no extension is needed.
CREATE TABLE "call_search" (
    "project_id" UUID NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "inputs" INTEGER[] NOT NULL,
    "output" INTEGER[] NOT NULL,

    CONSTRAINT "call_search_pkey" PRIMARY KEY ("project_id","id")
) PARTITION BY RANGE ("id");

-- The same ranges as those of the values. Rows stay in their pages up to 8 KB: what is looked for is looked at in many.
DO $$
DECLARE
  part record;
BEGIN
  FOR part IN SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'call_values'::regclass LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF call_search %s WITH (toast_tuple_target = 8160)',
      replace(part.name, 'call_values', 'call_search'), part.bound);
  END LOOP;
END $$;

CREATE INDEX "call_search_terms_idx" ON "call_search" USING GIN (("inputs" || "output"));

-- Calls whose values were written and whose words are not in the index yet, in the order of the writes.
CREATE TABLE "call_search_queue" (
    "project_id" UUID NOT NULL,
    "seq" BIGINT GENERATED ALWAYS AS IDENTITY,
    "id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "call_search_queue_pkey" PRIMARY KEY ("project_id","seq")
);

-- Triggers, so that a write of any service, and of the version before, is found.
CREATE FUNCTION "hone_queue_call_search"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_search_queue (project_id, id) SELECT project_id, id FROM written;
  RETURN NULL;
END $$;
CREATE TRIGGER "call_values_inserted" AFTER INSERT ON "call_values" REFERENCING NEW TABLE AS written
FOR EACH STATEMENT EXECUTE FUNCTION "hone_queue_call_search"();
CREATE TRIGGER "call_values_updated" AFTER UPDATE ON "call_values" REFERENCING NEW TABLE AS written
FOR EACH STATEMENT EXECUTE FUNCTION "hone_queue_call_search"();

-- With the values goes what they are found by.
CREATE FUNCTION "hone_delete_call_search"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM call_search WHERE project_id = OLD.project_id AND id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "call_values_deleted" AFTER DELETE ON "call_values"
FOR EACH ROW EXECUTE FUNCTION "hone_delete_call_search"();

-- Null: on.
ALTER TABLE "project_settings" ADD COLUMN "search" BOOLEAN;

-- Calls that are there already are added in the background.
INSERT INTO "call_backfills" ("project_id", "name") SELECT "id", 'call_search' FROM "projects";
