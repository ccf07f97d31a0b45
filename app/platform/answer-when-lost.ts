/**
 * For the `clientAction` of a route that other pages post to. If the request is lost, or something
 * other than the page responds (overload, restart), an error screen would replace the page and
 * everything typed.
 */
export async function answerWhenLost<Answer>(
  serverAction: () => Promise<unknown>,
  lost: Answer,
): Promise<Answer> {
  try {
    return (await serverAction()) as Answer;
  } catch (error) {
    if (error instanceof Response) throw error; // redirects
    return lost;
  }
}
