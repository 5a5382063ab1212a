-- AlterTable
ALTER TABLE "annotation_queues" ADD COLUMN     "assigned_only" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "lease_seconds" INTEGER NOT NULL DEFAULT 900,
ADD COLUMN     "reviewers_per_item" INTEGER;

-- AlterTable
-- Ids get the collation of the keys that they name: with another one, no join of the two could use an index.
ALTER TABLE "annotation_queue_items" ADD COLUMN     "finished_count" INTEGER NOT NULL DEFAULT 0,
ALTER COLUMN "queue_id" TYPE TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "annotation_progress" ADD COLUMN     "lease_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "lease_id" TEXT,
ALTER COLUMN "queue_id" TYPE TEXT COLLATE "C",
ALTER COLUMN "item_id" TYPE TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "annotation_assignees" (
    "project_id" UUID NOT NULL,
    "queue_id" TEXT COLLATE "C" NOT NULL,
    "item_id" TEXT COLLATE "C" NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID NOT NULL,

    CONSTRAINT "annotation_assignees_pkey" PRIMARY KEY ("project_id","queue_id","item_id","user_id")
);

-- CreateTable
CREATE TABLE "annotation_audit" (
    "project_id" UUID NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "queue_id" TEXT COLLATE "C" NOT NULL,
    "item_id" TEXT COLLATE "C" NOT NULL,
    "actor_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,
    "reason" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "annotation_audit_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateIndex
CREATE INDEX "annotation_assignees_project_id_queue_id_user_id_idx" ON "annotation_assignees"("project_id", "queue_id", "user_id");

-- CreateIndex
CREATE INDEX "annotation_audit_project_id_queue_id_item_id_at_idx" ON "annotation_audit"("project_id", "queue_id", "item_id", "at");

-- Items that annotators have finished before.
UPDATE "annotation_queue_items" i SET "finished_count" = p."count"
FROM (SELECT "project_id", "queue_id", "item_id", count(*)::int AS "count" FROM "annotation_progress"
      WHERE "state" IN ('completed', 'skipped') GROUP BY 1, 2, 3) p
WHERE i."project_id" = p."project_id" AND i."queue_id" = p."queue_id" AND i."id" = p."item_id";
