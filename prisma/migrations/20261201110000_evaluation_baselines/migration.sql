-- Scorers that compare two answers: the call whose answer a cell's is compared with.
ALTER TABLE "evaluation_cells" ADD COLUMN "against_call" TEXT;
