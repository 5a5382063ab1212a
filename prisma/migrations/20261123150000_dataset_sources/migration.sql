-- CreateTable
CREATE TABLE "dataset_sources" (
    "project_id" UUID NOT NULL,
    "dataset_object_id" TEXT NOT NULL,
    "row_digest" TEXT NOT NULL,
    "source_kind" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "source_trace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "link_metadata" TEXT,
    "added_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "dataset_sources_pkey" PRIMARY KEY ("project_id","dataset_object_id","row_digest","source_kind","source_id","source_trace_id")
);

-- CreateIndex
CREATE INDEX "dataset_sources_project_id_source_id_idx" ON "dataset_sources"("project_id", "source_id");

