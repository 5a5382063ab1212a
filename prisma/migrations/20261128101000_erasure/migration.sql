-- When the content of a deleted call was erased; null: not yet, or something of it has come since.
ALTER TABLE "calls" ADD COLUMN "erased_at" TIMESTAMPTZ(3);
CREATE INDEX "calls_to_erase_idx" ON "calls" ("project_id", "id") WHERE "deleted_at" IS NOT NULL AND "erased_at" IS NULL;

-- Items of calls that are deleted are given to nobody.
ALTER TABLE "annotation_queue_items" ADD COLUMN "call_deleted_at" TIMESTAMPTZ(3);
CREATE INDEX "annotation_queue_items_project_id_call_id_idx" ON "annotation_queue_items" ("project_id", "call_id");
UPDATE "annotation_queue_items" i SET "call_deleted_at" = c."deleted_at" FROM "calls" c
WHERE c."project_id" = i."project_id" AND c."id" = i."call_id" AND c."deleted_at" IS NOT NULL;

-- Chunks and files that erased values named; they go once nothing else names them. `marked_by`: the transaction that
-- put the digest here. Those that ran before it are over when it is older than every running one.
CREATE TABLE "erased_digests" (
    "project_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "marked_by" xid8 NOT NULL DEFAULT pg_current_xact_id(),

    CONSTRAINT "erased_digests_pkey" PRIMARY KEY ("project_id", "digest")
);

-- Calls that expired before left their chunks behind.
INSERT INTO "erased_digests" ("project_id", "digest")
SELECT DISTINCT c."project_id", c."blob_key" FROM "blob_chunks" c
WHERE c."chunk_no" = 0 AND NOT EXISTS (
  SELECT FROM "files" f WHERE f."project_id" = c."project_id" AND f."digest" = c."blob_key");
