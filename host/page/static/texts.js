// What the page says, in its three languages. The record's sentences come from the server (words.py).

export const LANGS = ["zh-Hans", "zh-Hant", "en"];
export const LANG_NAMES = ["简体中文", "繁體中文", "English"];

// name: [simplified, traditional, English]
const TEXTS = {
  title: ["双扣", "雙扣", "Shuangkou"],
  deal: ["第 {n} 局", "第 {n} 局", "Deal {n}"],
  mySeat: ["我的座位", "我的座位", "My seat"],
  oneSeat: ["单座", "單座", "One seat"],
  allSeats: ["四座全览", "四座全覽", "All four"],
  views: ["视图", "檢視", "View"],
  sound: ["声音", "聲音", "Sound"],
  power: ["主机电源", "主機電源", "Hub power"],
  bench: ["桌面与设置", "桌面與設定", "Table and settings"],
  close: ["关闭", "關閉", "Close"],
  record: ["牌局记录", "牌局記錄", "Record of play"],
  screenOf: ["{seat}的屏幕", "{seat}的螢幕", "Screen of {seat}"],
  padOf: ["{seat}的按键", "{seat}的按鍵", "Pad of {seat}"],
  lightsOf: ["指示灯：亮 {n} 个", "指示燈：亮 {n} 個", "Lights: {n} on"],
  ring: ["中央灯环", "中央燈環", "Ring of lights in the middle"],
  private: ["手牌不公开", "手牌不公開", "Private hand"],
  displayOut: ["屏幕未接", "螢幕未接", "Display unplugged"],
  padOut: ["按键板未接", "按鍵板未接", "Pad unplugged"],
  you: ["你", "你", "You"],
  human: ["玩家", "玩家", "person"],
  bot: ["电脑", "電腦", "bot"],
  yourTurn: ["轮到你出牌", "輪到你出牌", "Your turn"],
  yourLead: ["轮到你先出", "輪到你先出", "Your turn: you lead"],
  turn: ["出牌中", "出牌中", "to play"],
  left: ["剩 {n} 张", "剩 {n} 張", "{n} left"],
  language: ["语言", "語言", "Language"],
  speed: ["速度", "速度", "Speed"],
  plugs: ["插头", "插頭", "Plugs"],
  pad: ["按键板", "按鍵板", "Pad"],
  display: ["屏幕", "螢幕", "Display"],
  links: ["座位链接", "座位連結", "Seat links"],
  linksHow: ["每个座位一条，只给坐那里的人", "每個座位一條，只給坐那裡的人", "One for each seat; give it only to who sits there"],
  copy: ["复制", "複製", "Copy"],
  copied: ["已复制", "已複製", "Copied"],
  keysHelp: ["键盘", "鍵盤", "Keyboard"],
  powerOn: ["接通电源", "接通電源", "Switch on"],
  powerCut: ["切断电源", "切斷電源", "Cut the power"],
  off: ["主机已断电。牌局留在主机里，接通后继续。", "主機已斷電。牌局留在主機裡，接通後繼續。", "The hub is off. The deal is kept and goes on when the power is back."],
  crashed: ["主机程序已停止。", "主機程式已停止。", "The hub's program has stopped."],
  restart: ["重新启动", "重新啟動", "Restart"],
  lost: ["与牌桌的连接断开，正在重连…", "與牌桌的連線中斷，正在重連…", "The connection to the table is lost; trying again…"],
  oldLink: ["此链接已失效：请用终端里显示的新链接。你现在是旁观。", "此連結已失效：請用終端機裡顯示的新連結。你現在是旁觀。", "This link is from an earlier table: take the new one from the terminal. You are looking on."],
  onlooker: ["旁观", "旁觀", "Looking on"],
  onlookerHow: ["你在旁观：手牌只给持有该座位链接的人看。", "你在旁觀：手牌只給持有該座位連結的人看。", "You are looking on: a hand is shown only to whoever has that seat's link."],
  seat0: ["南家", "南家", "South"],
  seat1: ["东家", "東家", "East"],
  seat2: ["北家", "北家", "North"],
  seat3: ["西家", "西家", "West"],
  left_: ["左", "左", "Left"],
  right_: ["右", "右", "Right"],
  up_: ["多选一张", "多選一張", "Up: one more"],
  down_: ["少选一张", "少選一張", "Down: one fewer"],
  clear_: ["重选", "重選", "Clear"],
  play_: ["出牌", "出牌", "Play"],
  pass_: ["不要", "不要", "Pass"],
  hint_: ["提示", "提示", "Hint"],
  bomb_: ["炸弹", "炸彈", "Bomb"],
  sort_: ["理牌", "理牌", "Sort"],
  trustee_: ["托管", "託管", "Trustee"],
  menu_: ["菜单", "選單", "Menu"],
  helpSeat: ["选择座位（四座全览）", "選擇座位（四座全覽）", "choose a seat (all four)"],
  helpClick: ["点牌抬起一张，Ctrl+点牌抬起同点数全部", "點牌抬起一張，Ctrl+點牌抬起同點數全部", "a click raises one card, Ctrl+click all of its rank"],
  click: ["点牌", "點牌", "Click"],
};

let lang = 0;

export function setLang(index) { lang = index; }
export function langIndex() { return lang; }

// The text of a name, with {placeholders} filled in.
export function t(name, values = {}) {
  return TEXTS[name][lang].replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}
