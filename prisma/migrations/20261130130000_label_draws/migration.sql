-- Annotation queues whose calls were drawn for labelling, each with a chance.
CREATE TABLE "label_queues" (
    "project_id" UUID NOT NULL,
    "queue_id" TEXT NOT NULL,
    "feedback_type" TEXT NOT NULL,
    "scorer_id" TEXT COLLATE "C" NOT NULL,
    "scorer_digest" TEXT NOT NULL,
    "criterion" TEXT NOT NULL,
    "seed" INTEGER NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "label_queues_pkey" PRIMARY KEY ("project_id","queue_id")
);
CREATE INDEX "label_queues_project_id_feedback_type_idx" ON "label_queues"("project_id", "feedback_type");

-- Every call that could be drawn, drawn or not: without the chances of the others no mean of all calls is known.
CREATE TABLE "label_draws" (
    "project_id" UUID NOT NULL,
    "queue_id" TEXT NOT NULL,
    "call_id" TEXT COLLATE "C" NOT NULL,
    "chance" DOUBLE PRECISION NOT NULL,
    "is_drawn" BOOLEAN NOT NULL,
    "is_known" BOOLEAN NOT NULL,

    CONSTRAINT "label_draws_pkey" PRIMARY KEY ("project_id","queue_id","call_id"),
    CONSTRAINT "label_draws_chance_check" CHECK ("chance" > 0 AND "chance" <= 1)
);
CREATE INDEX "label_draws_project_id_call_id_idx" ON "label_draws"("project_id", "call_id");

-- That a call could be drawn goes with its content, by whichever way it is erased.
CREATE FUNCTION "hone_delete_label_draws"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM label_draws d USING gone g WHERE d.project_id = g.project_id AND d.call_id = g.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "call_values_deleted_label_draws" AFTER DELETE ON "call_values" REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION "hone_delete_label_draws"();
