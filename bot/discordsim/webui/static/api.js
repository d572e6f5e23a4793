// How the page talks to its server: JSON requests and the stream of events.

/** A refused request. code is one of the server's error codes, or "offline" if the server could not be reached. */
export class ApiError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Api {
  constructor(as) {
    this.as = as;
  }

  #url(path, parameters = {}) {
    const query = new URLSearchParams(this.as ? { ...parameters, as: this.as } : parameters);
    return `api/${path}?${query}`;
  }

  get(path, parameters) {
    return this.#send(this.#url(path, parameters), {});
  }

  post(path, body) {
    return this.#send(this.#url(path), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async #send(url, init) {
    let answer, body;
    try {
      answer = await fetch(url, init);
      body = await answer.json();
    } catch (error) {
      throw new ApiError('offline', String(error));
    }
    if (!answer.ok) throw new ApiError(body.error?.code ?? 'failed', body.error?.message ?? answer.statusText);
    return body;
  }

  /**
   * Follows the server's events. onReady is called after every (re)connection:
   * read again whatever may have been missed. onLost is called when the
   * connection breaks.
   *
   * A browser allows few open connections to one host, and every tab here is
   * another person. So a hidden tab closes its stream and reads again every few
   * seconds instead (onReady too); it opens the stream again when it is shown.
   */
  follow({ onEvent, onReady, onLost }) {
    const pollHidden = 5000;
    const retry = 1000;
    let source = null;
    let timer = 0;
    const stop = () => {
      clearTimeout(timer);
      source?.close();
      source = null;
    };
    const poll = () => {
      timer = setTimeout(() => { onReady(); poll(); }, pollHidden);
    };
    const open = () => {
      stop();
      if (document.hidden) return poll();
      source = new EventSource(this.#url('events'));
      source.addEventListener('ready', () => onReady());
      source.addEventListener('change', (event) => onEvent(JSON.parse(event.data)));
      source.addEventListener('error', () => {
        onLost();
        // The browser retries by itself unless it has given up.
        if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, retry);
      });
    };
    document.addEventListener('visibilitychange', open);
    window.addEventListener('pagehide', stop);
    window.addEventListener('pageshow', (event) => { if (event.persisted) open(); });
    open();
  }
}
