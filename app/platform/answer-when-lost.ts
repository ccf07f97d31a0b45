/**
 * For the `clientAction` of a route that other pages post to. A request that is lost, or answered by something else than
 * the page (overloaded, restarting), would replace the page and all that was typed by an error screen.
 */
export async function answerWhenLost<Answer>(
  serverAction: () => Promise<unknown>,
  lost: Answer,
): Promise<Answer> {
  try {
    return (await serverAction()) as Answer;
  } catch (error) {
    if (error instanceof Response) throw error; // leads on
    return lost;
  }
}
