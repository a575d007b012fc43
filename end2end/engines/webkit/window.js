// A browser around WebKitGTK's view, for gjs. WebKit's own MiniBrowser forgets everything when it is
// driven, and the stories are about what is kept; and it can run nothing before a page's own scripts.
//
// gjs window.js PROFILE PROXY PRELOAD: its own process ID and what pages report go to standard output,
// one JSON a line.

imports.gi.versions.Gtk = '3.0';
imports.gi.versions.WebKit2 = '4.1';
const { Gio, Gtk, WebKit2 } = imports.gi;

const [profile, proxy, preload] = ARGV;

function report(name, said) {
  print(JSON.stringify({ report: name, said }));
}

function store() {
  const data = new WebKit2.WebsiteDataManager({
    base_data_directory: `${profile}/data`,
    base_cache_directory: `${profile}/cache`,
  });
  data.get_cookie_manager().set_persistent_storage(`${profile}/cookies`, WebKit2.CookiePersistentStorage.SQLITE);
  data.set_network_proxy_settings(WebKit2.NetworkProxyMode.CUSTOM, WebKit2.NetworkProxySettings.new(proxy, null));
  return data;
}

function watch() {
  const content = new WebKit2.UserContentManager();
  for (const name of ['mooringSaw', 'mooringRead', 'mooringErred']) {
    content.register_script_message_handler(name);
    content.connect(`script-message-received::${name}`, (_, message) => {
      report(name, JSON.parse(message.get_js_value().to_string()));
    });
  }
  const { ALL_FRAMES } = WebKit2.UserContentInjectedFrames;
  content.add_script(new WebKit2.UserScript(preload, ALL_FRAMES, WebKit2.UserScriptInjectionTime.START, null, null));
  return content;
}

/** Each tab is a window of its own, of a phone's size. */
function open(context, content) {
  const view = new WebKit2.WebView({
    web_context: context,
    user_content_manager: content,
    is_controlled_by_automation: true,
  });
  const window = new Gtk.Window({ default_width: 360, default_height: 740 });
  window.add(view);
  window.show_all();
  view.connect('close', () => window.destroy());
  return view;
}

Gtk.init(null);
report('started', new Gio.Credentials().get_unix_pid());
const context = new WebKit2.WebContext({ website_data_manager: store() });
const content = watch();
context.set_automation_allowed(true);
context.connect('automation-started', (_, session) => {
  const info = new WebKit2.ApplicationInfo();
  info.set_name('Mooring');
  session.set_application_info(info);
  session.connect('create-web-view', () => open(context, content));
});
Gtk.main();
