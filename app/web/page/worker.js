// The worker: one program, its files, and a queue of the page's events.
'use strict';
{
  const own = '/files', home = '/home/person';
  let module = null, queue = [], soon = 0, later = 0, serve = null, token = '', tokens_work = false, told_job_ms = 0, keeps = 0;
  const kept_later_ms = 500, job_every_ms = 80, idle_every_ms = 150, most_wait_s = 180;
  const words = [];

  // --- Files

  function unpack(archive, folder) {  // ustar: POSIX.1-2017, pax, "ustar Interchange Format"
    const bytes = new Uint8Array(archive), text = new TextDecoder();
    const field = (at, length) => text.decode(bytes.subarray(at, at + length)).replace(/\0.*$/s, '');
    for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0;) {
      const prefix = field(at + 345, 155), name = (prefix ? prefix + '/' : '') + field(at, 100);
      const size = parseInt(field(at + 124, 12), 8), path = folder + '/' + name.replace(/\/$/, '');
      if (bytes[at + 156] === 0x35) module.FS.mkdirTree(path);
      else {
        module.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
        module.FS.writeFile(path, bytes.subarray(at + 512, at + 512 + size));
      }
      at += 512 + Math.ceil(size / 512) * 512;
    }
  }

  const kept = new Map();  // path → what the page has of it

  // Files that the program wrote into the person's folder become downloads.
  function save_new_files() {
    for (const name of module.FS.readdir(home)) {
      if (name.startsWith('.') || name.endsWith('.part')) continue;
      const path = home + '/' + name, about = module.FS.stat(path);
      if (!module.FS.isFile(about.mode)) continue;
      const version = about.size + ' ' + about.mtime.getTime();
      if (kept.get(path) === version) continue;
      kept.set(path, version);
      postMessage({ save: { name, bytes: module.FS.readFile(path) } });
      if (!name.endsWith('.cu')) module.FS.unlink(path);
    }
  }

  function keep() {
    clearTimeout(keeps);
    keeps = setTimeout(() => module.FS.syncfs(false, () => {}), kept_later_ms);
  }

  // --- Frames

  function apply(event) {
    if (event.size) {
      module.canvas.width = event.size.width;
      module.canvas.height = event.size.height;
      module._lanescope_resize(event.size.width, event.size.height, event.size.scale);
    }
    if (event.mouse) module._lanescope_mouse(...event.mouse);
    if (event.wheel) module._lanescope_wheel(event.wheel);
    if (event.key) module.ccall('lanescope_key', null, ['string', 'number', 'number'], [event.key, event.shift ? 1 : 0, event.control ? 1 : 0]);
    if (event.type) {
      const letters = [...event.type];
      module.ccall('lanescope_type', null, ['string', 'number'], [event.type, letters.length === 1 ? letters[0].codePointAt(0) : 0]);
    }
    if (event.paste) module.ccall('lanescope_paste', null, ['string'], [event.paste]);
    if (event.file) {
      const path = own + '/' + event.file.name.replace(/[/\0]/g, '_');
      module.FS.writeFile(path, new Uint8Array(event.file.bytes));
      module.ccall('lanescope_show', null, ['string'], [path]);
    }
  }

  // A frame sees one state of the mouse's buttons and one key: what follows waits for the next frame.
  const ends_frame = event => event.key || event.paste || event.asks_scroll;
  let buttons = 0;

  function frame(now_ms) {
    soon = 0;
    clearTimeout(later);
    let answered = 0, asked = false, changed = false;
    while (queue.length > 0) {
      const event = queue[0], change = event.mouse && event.mouse[2] !== buttons;
      if (change && changed) break;
      queue.shift();
      if (event.mouse) buttons = event.mouse[2];
      changed = changed || change;
      apply(event);
      answered = event.number || answered;
      asked = asked || event.asks_scroll;
      if (ends_frame(event) || change) break;
    }
    try {
      const next = module._lanescope_frame(now_ms / 1000);
      save_new_files();
      postMessage({ drawn: true, answered, scrolls: asked ? Boolean(module._lanescope_scrolls()) : undefined });
      if (next === 1 || queue.length > 0) ask();
      else if (next === 2) later = setTimeout(ask, idle_every_ms);
    } catch (why) {
      postMessage({ failed: reason(why) });
    }
  }

  function reason(why) {
    const words = why instanceof WebAssembly.Exception && module.getExceptionMessage ? module.getExceptionMessage(why).join(': ') : String(why && why.message || why);
    return /memory|bad_alloc|length_error/i.test(words) ? 'the tab has no more memory; use smaller parameters' : words;
  }

  function ask() {
    if (!soon) soon = self.requestAnimationFrame ? requestAnimationFrame(frame) : setTimeout(() => frame(performance.now()), 16);
  }

  // --- Long work

  function token_is_there() {
    try {
      const request = new XMLHttpRequest();
      request.open('GET', token, false);
      request.send();
      return request.status === 200 || request.status === 0 && request.responseText !== '';
    } catch (why) {
      return false;
    }
  }

  function hear_job(share) {
    const now = performance.now();
    if (now - told_job_ms < job_every_ms) return 0;
    told_job_ms = now;
    postMessage({ job: share });
    return tokens_work && !token_is_there() ? 1 : 0;
  }

  // --- A compiler on another machine

  // Returns {status, text}; status 0: no server answers.
  function ask_compiler(body) {
    if (!serve) return { status: -1, text: '' };
    const end = performance.now() + most_wait_s * 1000;
    for (;;) {
      const answer = post(body);
      const wait_ms = 1000 * Math.max(1, answer.after_s || 1);
      const again = (answer.status === 429 || answer.status === 503) && performance.now() + wait_ms < end;
      if (!again) return answer;
      for (const until = performance.now() + wait_ms; performance.now() < until;)
        if (hear_job(0)) return answer;
    }
  }

  function post(body) {
    try {
      const request = new XMLHttpRequest();
      request.open('POST', serve.url.replace(/\/$/, '') + '/compile' + (serve.token ? '?token=' + encodeURIComponent(serve.token) : ''), false);
      request.setRequestHeader('Content-Type', 'application/json');
      request.send(body);
      return { status: request.status, text: request.responseText, after_s: parseInt(request.getResponseHeader('Retry-After') || '1', 10) };
    } catch (why) {
      return { status: 0, text: '' };
    }
  }

  // --- Start

  async function start({ canvas, program, archives, query, extra, address, width, height, scale, inline, ...rest }) {
    token = rest.token;
    serve = rest.serve;
    tokens_work = token_is_there();
    if (!inline) importScripts('program.js');
    module = await createLanescope({
      canvas,
      noInitialRun: true,
      instantiateWasm: (imports, done) => {
        WebAssembly.instantiate(program, imports).then(instance => done(instance, program));
        return {};
      },
      printErr: line => { words.push(line); console.error(line); },
      print: line => console.log(line),
      tell: message => postMessage(message),
      keep, hearJob: hear_job, askCompiler: ask_compiler,
      preRun: [made => {
        made.ENV.HOME = home;
        made.ENV.LANESCOPE_HOME = '/lanescope';
        if (/^https?:/.test(address)) made.ENV.LANESCOPE_WEB = address;
        made.ENV.LANESCOPE_KERNELS = '/lanescope/own';
        made.ENV.LANESCOPE_LANGUAGE = (navigator.language || 'en').startsWith('fr') ? 'fr' : 'en';
      }],
    });
    for (const folder of [own, home, '/lanescope']) module.FS.mkdirTree(folder);
    for (const archive of archives) unpack(archive, '/lanescope');
    try {
      module.FS.mount(module.IDBFS, {}, home);
      await new Promise(done => module.FS.syncfs(true, done));
    } catch (why) { /* nothing is kept where the browser keeps nothing */ }
    for (const name of module.FS.readdir(home)) {
      const path = home + '/' + name, about = module.FS.stat(path);
      if (module.FS.isFile(about.mode)) kept.set(path, about.size + ' ' + about.mtime.getTime());
    }
    if (extra) module.FS.writeFile(own + '/' + extra.name, new Uint8Array(extra.bytes));
    const handle = module.GL.createContext(canvas, { majorVersion: 2, minorVersion: 0, alpha: false, antialias: false, depth: false,
      stencil: false, preserveDrawingBuffer: false, powerPreference: 'default', failIfMajorPerformanceCaveat: false, enableExtensionsByDefault: 1 });
    if (!handle) throw new Error('this browser has no WebGL 2');
    module.GL.makeContextCurrent(handle);
    const code = module.ccall('lanescope_open', 'number', ['string', 'string'], [query, own]);
    if (code !== 0) throw new Error(words.join('\n') || 'the link cannot be opened');
    apply({ size: { width, height, scale } });
    postMessage({ opened: true });
    ask();
  }

  self.onmessage = ({ data }) => {
    if (data.start) start(data.start).catch(why => postMessage({ failed: reason(why) }));
    else if (data.token) token = data.token;
    else if (data.keep) { if (module) module.FS.syncfs(false, () => {}); }
    else if (module && module._lanescope_frame) {
      queue.push(data);
      ask();
    }
  };
}
