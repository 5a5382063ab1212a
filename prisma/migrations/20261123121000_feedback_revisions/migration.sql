-- CreateTable
CREATE TABLE "feedback_revisions" (
    "project_id" UUID NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "revision" INTEGER NOT NULL,
    "record_id" TEXT COLLATE "C" NOT NULL,
    "record" JSONB NOT NULL,
    "replaced_at" TIMESTAMPTZ(3) NOT NULL,
    "replaced_by" UUID NOT NULL,
    "reason" TEXT,

    CONSTRAINT "feedback_revisions_pkey" PRIMARY KEY ("project_id","id","revision")
);

-- CreateIndex
CREATE INDEX "feedback_revisions_project_id_record_id_idx" ON "feedback_revisions"("project_id", "record_id");
