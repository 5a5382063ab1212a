-- Nullable without defaults: no row is rewritten, and the version before inserts rows without them.
ALTER TABLE "training_jobs" ADD COLUMN "validation_version_id" UUID,
ADD COLUMN "validation_uri" TEXT,
ADD COLUMN "validation_bytes" BIGINT,
ADD COLUMN "validation_sha256" TEXT;
