-- CreateTable
CREATE TABLE "alias_splits" (
    "project_id" UUID NOT NULL,
    "model_id" UUID NOT NULL,
    "alias" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "arms" JSONB NOT NULL,
    "ranges" JSONB NOT NULL,
    "shadow" JSONB,
    "spent_on" DATE,
    "spent_nano_usd" BIGINT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_by" UUID NOT NULL,

    CONSTRAINT "alias_splits_pkey" PRIMARY KEY ("project_id","model_id","alias")
);

-- CreateIndex
CREATE UNIQUE INDEX "alias_splits_id_key" ON "alias_splits"("id");

-- AddForeignKey
ALTER TABLE "alias_splits" ADD CONSTRAINT "alias_splits_project_id_model_id_alias_fkey" FOREIGN KEY ("project_id", "model_id", "alias") REFERENCES "checkpoint_aliases"("project_id", "model_id", "name") ON DELETE CASCADE ON UPDATE CASCADE;
