// A page's line to the server: one socket that is opened again whenever it ends, a heartbeat that finds out whether it
// still works, and a look at the server now and then while there is none.
const LiveSocket = (() => {
  "use strict";

  const PATIENCE = 4000; // for the answer to a heartbeat
  const IMPATIENCE = 2000; // the same, when the page has just come back to the front
  const TO_OPEN = 10000;
  const NOT_OURS = [4401, 4403, 4404]; // not for this page any more: no use in coming again
  const CROWDED = 4408; // another page of ours took the place: this one only looks now and then

  // A server that was restarted is back within seconds, and a page within one of that; one that stays away is asked less.
  const delay = (tries) => 200 + Math.random() * (tries < 50 ? 800 : 4800);

  return class {
    #page;
    #socket = null;
    #begun = 0; // when it was asked for
    #tries = 0;
    #deadline = 0;
    #looking = false;
    #ended = false;

    // What the page brings along:
    //   path, asks()     where its socket is, and what it is opened with
    //   have()           what the page has, for the heartbeat
    //   heartbeat        milliseconds between two: also the longest that a lost hint goes unnoticed
    //   whileHidden      whether it goes on beating when nobody looks
    //   hear(text)       a message came
    //   look(), every    asks without a socket: false where the page is nobody's any more, an error where nobody answers
    //   show(state)      live, catching-up or offline
    //   gone()           the page is not for this reader any more
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

    // Finds out at once whether the page lacks anything.
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
        // Open is a promise; the answer to the first heartbeat keeps it.
        this.#page.show("catching-up");
        this.#beat(PATIENCE);
      };
      socket.onmessage = ({ data }) => {
        clearTimeout(this.#deadline);
        this.#page.show("live");
        this.#page.hear(data);
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

    // Leaves a socket that looks open and is not, or never opens: its end may be told minutes later, and must not close the
    // next one.
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
        // The way is free again, and a socket that was asked for while it was not may wait for minutes.
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
