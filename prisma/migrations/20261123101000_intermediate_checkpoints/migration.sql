-- No default: no row is rewritten, rows of the version before stay null, and that version inserts rows without it.
ALTER TABLE "checkpoints" ADD COLUMN "gradient_step" INTEGER;

-- A job makes one checkpoint at most at each of its gradient steps, however many attempts it takes. Nulls are distinct.
CREATE UNIQUE INDEX "checkpoints_project_id_job_id_gradient_step_key" ON "checkpoints"("project_id", "job_id", "gradient_step");
