-- AlterTable
ALTER TABLE "trainable_models" ADD COLUMN     "engine" TEXT;

-- CreateTable
CREATE TABLE "engine_models" (
    "engine" TEXT NOT NULL,
    "model_id" TEXT NOT NULL,
    "job_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "engine_models_pkey" PRIMARY KEY ("engine","model_id")
);
