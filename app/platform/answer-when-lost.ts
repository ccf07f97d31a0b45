/**
 * For the `clientAction` of a route that forms and buttons of other pages post to. What does not reach the site, or comes
 * back as no answer of ours (overloaded, restarting), would put an error screen in the place of the page, with all that
 * was typed: so it is an answer like any other.
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
