-- How the cells of an evaluation that has finished ended: lists read it, and it stays when the cells are deleted.
ALTER TABLE "evaluation_jobs" ADD COLUMN "counts" JSONB, ADD COLUMN "cells_deleted_at" TIMESTAMPTZ(3);
CREATE INDEX "evaluation_jobs_with_cells_idx" ON "evaluation_jobs"("finished_at") WHERE "cells_deleted_at" IS NULL AND "finished_at" IS NOT NULL;
