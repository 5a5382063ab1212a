-- CreateTable
CREATE TABLE "span_events" (
    "project_id" UUID NOT NULL,
    "trace_id" TEXT COLLATE "C" NOT NULL,
    "span_id" TEXT COLLATE "C" NOT NULL,
    "digest" BYTEA NOT NULL,
    "time_unix_nano" BIGINT NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "content" TEXT NOT NULL,
    "is_joined" BOOLEAN NOT NULL DEFAULT false,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "span_events_pkey" PRIMARY KEY ("project_id","trace_id","span_id","digest")
);

-- CreateIndex
CREATE INDEX "span_events_received_at_idx" ON "span_events"("received_at");
