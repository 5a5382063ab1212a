-- CreateTable
CREATE TABLE "checkpoint_aliases" (
    "project_id" UUID NOT NULL,
    "model_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_by" UUID NOT NULL,

    CONSTRAINT "checkpoint_aliases_pkey" PRIMARY KEY ("project_id","model_id","name")
);
