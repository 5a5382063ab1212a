-- AlterTable
ALTER TABLE "object_aliases" ADD COLUMN     "protected" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "alias_moves" (
    "project_id" UUID NOT NULL,
    "object_id" TEXT COLLATE "C" NOT NULL,
    "alias" TEXT COLLATE "C" NOT NULL,
    "moved_at" TIMESTAMPTZ(6) NOT NULL,
    "digest" TEXT COLLATE "C",
    "actor_id" UUID,

    CONSTRAINT "alias_moves_pkey" PRIMARY KEY ("project_id","object_id","alias","moved_at")
);

-- What is known of the past: when each alias, and latest, began to name what it names.
INSERT INTO "alias_moves" ("project_id", "object_id", "alias", "moved_at", "digest", "actor_id")
SELECT "project_id", "object_id", "alias", "created_at", "digest", "svc_user_id" FROM "object_aliases"
UNION ALL
SELECT "project_id", "object_id", 'latest', "latest_created_at", "latest_digest", NULL FROM "object_heads"
WHERE "latest_digest" IS NOT NULL AND "latest_created_at" IS NOT NULL;
