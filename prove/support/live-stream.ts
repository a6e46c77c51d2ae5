/** An open stream of one's own money. */
export interface LiveStream {
  readonly status: number;
  readonly heard: { text: string; isOver: boolean };
  stop(): void;
}

/** Listens to one's own money at a server, and keeps what is heard. */
export async function listen(origin: string, token: string): Promise<LiveStream> {
  const stopping = new AbortController();
  const response = await fetch(`${origin}/api/v1/client/live`, {
    headers: { authorization: `Token ${token}` },
    signal: stopping.signal,
  });
  const heard = { text: '', isOver: false };
  const read = async () => {
    for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk).toString();
  };
  void read()
    .catch(() => {})
    .finally(() => {
      heard.isOver = true;
    });
  return { status: response.status, heard, stop: () => stopping.abort() };
}
