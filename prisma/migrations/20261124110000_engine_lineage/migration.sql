-- AlterTable
ALTER TABLE "checkpoints" ADD COLUMN     "engine" JSONB;

-- CreateTable
CREATE TABLE "engine_weights" (
    "engine" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "job_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "engine_weights_pkey" PRIMARY KEY ("engine","path")
);
