"""Every text of the screens in the three languages: one table. A source of ``type.bin``; the board never imports it.

A row is (name, faces, 简体, 繁體, English). The screens name a row by its number (``_T_PASS = const(0)``:
such constants cost the board nothing); ``python -m host fonts`` brings those numbers up to date, and a test
holds them to this table. ``{}`` stands for a name or number.
``faces`` are the sizes the row is drawn in: r 16 regular, b 16 bold, B 20 bold, X 24 bold, T 28 regular, s 12 regular.
"""

TEXTS = (
    # What a seat did last, in its tile (56 px wide)
    ("PASS", "rs", "不要", "不要", "passed"),
    ("LED", "rs", "领出", "領出", "led"),
    ("TOP", "rs", "最大", "最大", "on top"),
    ("PLAYED", "rs", "出过", "出過", "played"),
    ("PLAYING", "rs", "在出牌", "在出牌", "to play"),
    ("OPENS", "rs", "先出", "先出", "leads"),
    ("THINKING", "r", "正在想…", "正在想…", "thinking…"),
    ("FIRST", "rb", "头游", "頭游", "first"),
    ("SECOND", "rb", "二游", "二游", "second"),
    ("THIRD", "rb", "三游", "三游", "third"),
    ("LAST", "rb", "末游", "末游", "last"),
    ("TRUSTEE", "rb", "托管", "託管", "auto"),
    ("UNPLUGGED", "r", "断线", "斷線", "no pad"),
    ("ME", "r", "我", "我", "me"),
    # The bar
    ("YOUR_TURN", "b", "轮到你", "輪到你", "Your turn"),
    ("WAIT_FOR", "r", "等{}出牌", "等{}出牌", "{} to play"),
    ("LEAD_ANY", "r", "你领出，任意牌型", "你領出，任意牌型", "lead any meld"),
    ("MUST_BEAT", "r", "须压过", "須壓過", "beat"),
    ("NO_MELD", "r", "不成牌型", "不成牌型", "no meld"),
    ("TOO_LOW", "r", "压不过", "壓不過", "too low"),
    ("WHICH", "b", "算哪种", "算哪種", "Which?"),
    ("CHANGE", "r", "换", "換", "pick"),
    ("KEY_PLAY", "b", "出牌", "出牌", "PLAY"),
    ("THIS_ONE", "r", "就这样", "就這樣", "ok"),
    ("PARTNERS_HAND", "r", "正看{}的手牌", "正看{}的手牌", "{}'s hand"),
    ("TRUSTEE_PLAYS", "b", "托管中", "託管中", "Auto play"),
    ("KEY_TRUSTEE", "bs", "托管", "託管", "TRUSTEE"),
    ("TAKE_BACK", "r", "收回", "收回", "ends it"),
    ("OUT", "r", "你出完了", "你出完了", "you are out"),
    ("LAST_TRICK", "r", "最后一手", "最後一手", "last trick"),
    ("REFUSED", "b", "不行", "不行", "No"),
    ("PAD_AWAY", "r", "按键盒断线，主机代打", "按鍵盒斷線，主機代打", "no pad: the hub plays"),
    ("HIDDEN", "r", "手牌已盖住，按任意键", "手牌已蓋住，按任意鍵", "Hand hidden. Press any key"),
    ("UNSEEN", "r", "未见", "未見", "left"),
    # Jokers on their cards
    ("BIG", "rs", "大", "大", "B"),
    ("SMALL", "rs", "小", "小", "S"),
    # Notices
    ("NOT_SAVED", "s", "本局没能存下", "本局沒能存下", "this deal is not saved"),
    # Lobby
    ("GAME_QIAN", "T", "千变双扣", "千變雙扣", "Qianbian"),
    ("GAME_BAI", "T", "百变双扣", "百變雙扣", "Baibian"),
    ("N_READY", "r", "{}/4 就绪", "{}/4 就緒", "{}/4 ready"),
    ("READY", "r", "就绪", "就緒", "ready"),
    ("WAITING", "r", "等待", "等待", "waiting"),
    ("BOT", "r", "电脑", "電腦", "bot"),
    ("RULES", "r", "规则", "規則", "Rules"),
    ("LANGUAGE", "r", "语言", "語言", "Text"),
    ("CLOCK", "r", "时限", "時限", "Clock"),
    ("LAYOUT", "r", "版面", "版面", "Cards"),
    ("LANG_NAME", "r", "简体中文", "繁體中文", "English"),
    ("SECONDS", "r", "{} 秒", "{} 秒", "{} s"),
    ("NO_LIMIT", "r", "不限时", "不限時", "no limit"),
    ("LARGE", "r", "大牌", "大牌", "large"),
    ("COMPACT", "r", "小牌", "小牌", "compact"),
    ("PRESS", "B", "按", "按", "press"),
    ("TO_START", "B", "准备开始", "準備開始", "when ready"),
    ("WAIT_OTHERS", "B", "等其他人", "等其他人", "Waiting for the others"),
    ("JOIN", "B", "按任意键入座", "按任意鍵入座", "Press any key to sit down"),
    ("LOBBY_KEYS", "s", "上下选择　左右更改　清除离座", "上下選擇　左右更改　清除離座",
     "up/down choose · left/right change · clear: leave"),
    ("RULES_WENZHOU", "rb", "温州星规", "溫州星規", "Wenzhou"),
    ("RULES_JIANGZHE", "rb", "江浙相规", "江浙相規", "Jiangzhe"),
    ("RULES_JIANGZHE3", "rb", "江浙三底", "江浙三底", "Jiangzhe 3"),
    ("RULES_DIEXIANG", "rb", "叠相", "疊相", "Diexiang"),
    ("RULES_BAIBIAN", "rb", "百变", "百變", "Baibian"),
    # Deal
    ("DEAL_N", "B", "第 {} 局", "第 {} 局", "Deal {}"),
    ("COMMIT", "rs", "本局承诺", "本局承諾", "committed"),
    ("LEADS", "r", "{}先出", "{}先出", "{} leads"),
    ("DEALING", "r", "发牌中", "發牌中", "dealing"),
    # Settlement
    ("DOUBLE", "B", "双扣", "雙扣", "Double"),
    ("SINGLE", "B", "单扣", "單扣", "Single"),
    ("LEVEL", "B", "平扣", "平扣", "Level"),
    ("BROKEN", "B", "散局", "散局", "Broken off"),
    ("COL_BASE", "s", "底分", "底分", "base"),
    ("COL_BOMBS", "s", "贡献", "貢獻", "bombs"),
    ("COL_POINTS", "s", "得分", "得分", "points"),
    ("COL_TOTAL", "s", "总分", "總分", "total"),
    ("N_LEFT", "s", "剩 {} 张", "剩 {} 張", "{} left"),
    ("NEXT_DEAL", "r", "下一局", "下一局", "next deal"),
    ("WON", "B", "赢了", "贏了", "win"),
    ("LOST", "B", "输了", "輸了", "loss"),
    # Refusals: the word, then the reason
    ("LOW", "b", "压不过", "壓不過", "Low"),
    ("NEED_TOP", "r", "{}要高过 {}", "{}要高過 {}", "{} above {}"),
    ("NEED_KIND", "r", "要{}或炸弹", "要{}或炸彈", "{} or bomb"),
    ("NEED_BOMB", "r", "要更大的炸弹", "要更大的炸彈", "a bigger bomb"),
    ("MUST_LEAD", "r", "领出不能不要", "領出不能不要", "you must lead"),
    ("NOT_HELD", "r", "手里没有这些牌", "手裡沒有這些牌", "not in your hand"),
    ("NOT_OFFERED", "r", "不能当这个牌型", "不能當這個牌型", "not that meld"),
    ("ENDED", "r", "这一局已经结束", "這一局已經結束", "deal is over"),
    # Notices, in the order of seats.py (NOTICE_TIMEOUT_1 = 1 ...)
    ("TIMEOUT_1", "r", "超时 1/3，满三次托管", "超時 1/3，滿三次託管", "time-out 1 of 3"),
    ("TIMEOUT_2", "r", "超时 2/3，再超托管", "超時 2/3，再超託管", "time-out 2 of 3"),
    ("TIMEOUT_3", "r", "超时三次，改由托管", "超時三次，改由託管", "3 time-outs: auto play"),
    ("TRUSTEE_ON", "r", "已托管", "已託管", "auto play is on"),
    ("TRUSTEE_OFF", "r", "已收回，你来打", "已收回，你來打", "your hand again"),
    ("TRUSTEE_2", "r", "已托管，还可两次", "已託管，還可兩次", "auto: 2 times left"),
    ("TRUSTEE_1", "r", "已托管，还可一次", "已託管，還可一次", "auto: once more"),
    ("TRUSTEE_0", "r", "已托管，最后一次", "已託管，最後一次", "auto: the last time"),
    ("TRUSTEE_NO", "r", "托管次数已用完", "託管次數已用完", "no auto play left"),
    ("TRUSTEE_STAY", "r", "本局不能收回", "本局不能收回", "stays for this deal"),
    ("NO_HINT", "r", "没有能压过的牌", "沒有能壓過的牌", "nothing beats it"),
    ("NO_BOMB", "r", "没有能压过的炸弹", "沒有能壓過的炸彈", "no bomb beats it"),
    ("BACK", "r", "回来了，接着打", "回來了，接著打", "back: your hand again"),
    ("PAUSE_ASK", "r", "有人想暂停，按菜单", "有人想暫停，按菜單", "pause? press MENU"),
    ("PAUSE_ASKED", "r", "等大家同意暂停", "等大家同意暫停", "pause asked for"),
    # Keys of the pad
    ("KEY_PASS", "bs", "不要", "不要", "PASS"),
    ("KEY_HINT", "bs", "提示", "提示", "HINT"),
    ("KEY_BOMB", "bs", "炸弹", "炸彈", "BOMB"),
    ("KEY_SORT", "bs", "理牌", "理牌", "SORT"),
    ("KEY_MENU", "bs", "菜单", "菜單", "MENU"),
    ("KEY_CLEAR", "b", "清除", "清除", "CLEAR"),
    # Menu
    ("MENU", "B", "菜单", "菜單", "Menu"),
    ("MENU_KEYS", "s", "上下选择　出牌确定　清除关闭", "上下選擇　出牌確定　清除關閉",
     "up/down choose · play: do it · clear: close"),
    ("HIDE", "r", "盖住手牌", "蓋住手牌", "hide hand"),
    ("AGAIN", "r", "上一轮", "上一輪", "last trick"),
    ("TO_LARGE", "r", "换成大牌", "換成大牌", "large cards"),
    ("TO_COMPACT", "r", "换成小牌", "換成小牌", "small cards"),
    ("SOUND", "r", "音量", "音量", "volume"),
    ("MUTE", "r", "静音", "靜音", "off"),
    ("LIGHT", "r", "亮度", "亮度", "light"),
    ("PAUSE", "r", "暂停", "暫停", "pause"),
    ("AGREE", "r", "同意暂停", "同意暫停", "yes, pause"),
    ("NO_PAUSE", "r", "不暂停了", "不暫停了", "no pause"),
    ("LEAVE", "r", "离开本局", "離開本局", "leave deal"),
    # Other pages
    ("NO_TRICK", "r", "还没有打完一轮", "還沒有打完一輪", "no trick is over yet"),
    ("LEAVE_ASK", "B", "离开这一局？", "離開這一局？", "Leave this deal?"),
    ("LEAVE_AUTO", "r", "由托管替你打完，随时可以收回", "由託管替你打完，隨時可以收回",
     "auto play goes on; you may come back"),
    ("LEAVE_ENDS", "r", "这一局作废，你至少扣 {} 分", "這一局作廢，你至少扣 {} 分",
     "the deal ends; you lose {} or more"),
    ("LEFT", "r", "{}离开了，这局作废", "{}離開了，這局作廢", "{} left: the deal ends"),
    ("GO", "r", "离开", "離開", "leave"),
    ("STAY", "r", "接着打", "接著打", "play on"),
    ("PAUSED", "B", "暂停中", "暫停中", "Pause"),
    ("ANY_KEY", "r", "按任意键，接着打", "按任意鍵，接著打", "any key: play goes on"),
)

# Characters that a player's name may use besides ASCII, in both written forms.
NAME_CHARS = (
    "赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜戚谢邹章苏潘葛范彭鲁马方任袁柳史唐薛雷贺倪汤罗毕郝"
    "安常于傅齐康伍余顾孟黄萧尹姚邵汪毛宋庞熊纪项祝董梁杜阮蓝季贾路江童颜郭梅林刁钟徐邱骆高夏蔡田胡凌霍虞万卢"
    "莫房解丁邓单洪包石崔龚程邢陆翁段侯全班秋仲宁甘武符刘景龙叶司黎溥白蒲卓池乔翟谭申冉温庄晏柴阎连艾向古易戈廖"
    "终居步都耿满弘匡文寇东欧沃利师关阿老小大强玲美英明华国平伟芳娜敏静丽军洋勇艳杰娟涛超秀霞刚桂建红玉春兰志海"
    "山水木火土星月日天地人和福禄寿喜乐风雨雪云花鸟鱼虎兔牛羊爷奶爸妈哥姐弟妹叔姨公婆伯一二三四五六七八九十"
    "趙錢孫吳鄭馮陳蔣韓楊許呂張嚴謝鄒蘇魯馬賀湯羅畢齊顧黃蕭龐紀項賈藍顏鍾徐駱萬盧單鄧龔陸寧劉龍葉喬譚莊閻"
    "連終滿東歐師關強麗華國偉靜軍艷傑濤剛紅蘭風雲鳥魚樂壽祿爺媽"
)
