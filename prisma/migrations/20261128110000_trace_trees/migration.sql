-- Place of a call in its trace, kept as calls arrive: whether its parent has not arrived (it then counts as a root), and
-- whether a call below it failed. The version before writes neither: what it stores meanwhile reads as it did there.
ALTER TABLE "calls" ADD COLUMN "is_orphan" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "has_failed_descendant" BOOLEAN NOT NULL DEFAULT false;

UPDATE "calls" c SET is_orphan = true
WHERE c.parent_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM "calls" x WHERE x.project_id = c.project_id AND x.id = c.parent_id AND x.started_at IS NOT NULL);

WITH RECURSIVE failed AS (
  SELECT project_id, parent_id AS id FROM "calls"
  WHERE parent_id IS NOT NULL AND (exception IS NOT NULL OR has_descendant_error)
  UNION
  SELECT c.project_id, c.parent_id FROM failed f JOIN "calls" c ON c.project_id = f.project_id AND c.id = f.id
  WHERE c.parent_id IS NOT NULL)
UPDATE "calls" c SET has_failed_descendant = true FROM failed f WHERE c.project_id = f.project_id AND c.id = f.id;

-- Also serves the version before, which asks for calls without a parent alone.
DROP INDEX "calls_shown_roots_idx";
CREATE INDEX "calls_shown_roots_idx" ON "calls" ("project_id", "started_at", "id")
WHERE "deleted_at" IS NULL AND "started_at" IS NOT NULL AND ("parent_id" IS NULL OR "is_orphan");
-- Few calls are in these: what each write looks for is mostly not there.
CREATE INDEX "calls_orphans_idx" ON "calls" ("project_id", "parent_id") WHERE "is_orphan";
CREATE INDEX "calls_failed_idx" ON "calls" ("project_id", "parent_id")
WHERE "parent_id" IS NOT NULL AND ("exception" IS NOT NULL OR "has_descendant_error" OR "has_failed_descendant");
