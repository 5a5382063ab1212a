-- CreateTable
CREATE TABLE "training_data_calls" (
    "project_id" UUID NOT NULL,
    "version_id" UUID NOT NULL,
    "call_id" TEXT COLLATE "C" NOT NULL,
    "split" TEXT NOT NULL,

    CONSTRAINT "training_data_calls_pkey" PRIMARY KEY ("project_id","version_id","call_id")
);

-- CreateIndex
CREATE INDEX "training_data_calls_project_id_call_id_version_id_idx" ON "training_data_calls"("project_id", "call_id", "version_id");

-- Jobs that read a version.
CREATE INDEX "training_jobs_data_version_id_idx" ON "training_jobs"("data_version_id") WHERE "data_version_id" IS NOT NULL;
