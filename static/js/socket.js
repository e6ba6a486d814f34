// A page's connection to the server: a reconnecting socket with a heartbeat, and polling while there is none.
const LiveSocket = (() => {
  "use strict";

  const PATIENCE = 4000; // timeout of a heartbeat
  const IMPATIENCE = 2000; // the same, when the page has just become visible
  const TO_OPEN = 10000;
  const NOT_OURS = [4401, 4403, 4404]; // no longer for this page: reconnecting is pointless
  const CROWDED = 4408; // another page of this reader took the place: this one only polls

  // Backoff: a restarted server is back within seconds, and its pages one second later. After many tries, wait longer.
  const delay = (tries) => 200 + Math.random() * (tries < 50 ? 800 : 4800);

  return class {
    #page;
    #socket = null;
    #begun = 0; // when it was requested
    #tries = 0;
    #deadline = 0;
    #looking = false;
    #ended = false;

    // The page provides:
    //   path, asks()     the socket's address and its parameters
    //   have()           the page's version, for the heartbeat
    //   heartbeat        milliseconds between two, and the longest delay of a lost hint
    //   whileHidden      whether heartbeats continue while the page is hidden
    //   hear(text)       handles a message
    //   look(), every    polls without a socket: false if the page is gone, an error if nobody answers
    //   show(state)      live, catching-up or offline
    //   gone()           the reader may no longer see the page
    constructor(page) {
      this.#page = { show() {}, whileHidden: false, ...page };
      setInterval(() => this.#beat(PATIENCE), page.heartbeat);
      setInterval(() => this.#look(), page.every);
      document.addEventListener("visibilitychange", () => this.#probe());
      window.addEventListener("online", () => this.#probe());
      window.addEventListener("pageshow", () => this.#probe());
      window.addEventListener("offline", () => this.#page.show("offline"));
      this.#page.show(navigator.onLine === false ? "offline" : "catching-up");
      this.#open();
    }

    // Checks at once whether the page is up to date.
    ask() { this.#probe(); }

    get #isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

    #open() {
      if (this.#ended) return;
      const url = new URL(this.#page.path, location.href);
      url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
      for (const [name, value] of Object.entries(this.#page.asks())) url.searchParams.set(name, value);
      const socket = new WebSocket(url);
      this.#socket = socket;
      this.#begun = Date.now();
      this.#expect(TO_OPEN);
      socket.onopen = () => {
        this.#tries = 0;
        // Only the answer to the first heartbeat proves that it works.
        this.#page.show("catching-up");
        this.#beat(PATIENCE);
      };
      socket.onmessage = ({ data }) => {
        clearTimeout(this.#deadline);
        this.#page.show("live");
        // A passage was shown to this reader: every page can take that.
        if (data.startsWith('{"shown"')) document.dispatchEvent(new CustomEvent("vesper:shown", { detail: JSON.parse(data).shown }));
        else this.#page.hear(data);
      };
      socket.onclose = ({ code }) => this.#lost(code);
    }

    #expect(patience) {
      clearTimeout(this.#deadline);
      this.#deadline = setTimeout(() => this.#abandon(), patience);
    }

    #beat(patience) {
      if (!this.#isOpen || (document.hidden && !this.#page.whileHidden)) return;
      this.#socket.send(JSON.stringify({ have: this.#page.have() }));
      this.#expect(patience);
    }

    #lost(code) {
      clearTimeout(this.#deadline);
      this.#socket = null;
      this.#page.show("catching-up");
      if (NOT_OURS.includes(code)) {
        this.#end();
        return;
      }
      if (code !== CROWDED) setTimeout(() => this.#open(), delay(this.#tries));
      this.#tries += 1;
      this.#look();
    }

    // Abandons a socket that is dead or never opens: its close event may fire minutes later, and must not end the next one.
    #abandon() {
      const old = this.#socket;
      if (!old) return;
      old.onopen = old.onmessage = old.onclose = null;
      old.close();
      this.#lost();
    }

    #end() {
      this.#ended = true;
      clearTimeout(this.#deadline);
      this.#page.show("offline");
      this.#page.gone();
    }

    async #look() {
      if (this.#ended || this.#looking || this.#isOpen || (document.hidden && !this.#page.whileHidden)) return;
      this.#looking = true;
      try {
        if (await this.#page.look(PATIENCE) === false) {
          this.#end();
          return;
        }
        if (!this.#isOpen) this.#page.show("catching-up");
        // The server is reachable again, but a socket requested before that may wait for minutes.
        if (this.#socket?.readyState === WebSocket.CONNECTING && Date.now() - this.#begun > PATIENCE) this.#abandon();
      } catch {
        if (!this.#isOpen) this.#page.show("offline");
      } finally {
        this.#looking = false;
      }
    }

    #probe() {
      if (document.hidden || this.#ended) return;
      if (this.#isOpen) this.#beat(IMPATIENCE);
      else this.#look();
    }
  };
})();
