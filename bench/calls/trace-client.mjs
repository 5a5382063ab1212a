import { HttpConnection, toRequest } from '../harness/http-connection.mjs';

/** A trace service of its own, and a connection to it on which requests are about one project. */
export async function openTrace(world, project) {
  const trace = await world.startTrace();
  let connection = await HttpConnection.open(trace.port);
  return {
    /** @returns the body of the answer */
    send: async (path, body) => {
      if (connection.isClosed) connection = await HttpConnection.open(trace.port);
      return connection.send(toRequest(path, world.authorization, { project_id: project.id, ...body }));
    },
    close: async () => {
      connection.close();
      await trace.stop();
    },
  };
}
