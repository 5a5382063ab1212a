-- Nullable and without a default: rows are not rewritten, and the version before this one goes on inserting.
ALTER TABLE "feedback" ADD COLUMN "sdk_extras" JSONB;
