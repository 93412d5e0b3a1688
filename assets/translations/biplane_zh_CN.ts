<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Biplane</name>
    <message numerus="yes">
        <location filename="app/cache/event_chips.py"/>
        <source>{count} events</source>
        <translation><numerusform>{count} 个事件</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/event_lines.py"/>
        <source>{count} lines</source>
        <translation><numerusform>{count} 行</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/event_window.py"/>
        <source>{count} more evictions</source>
        <translation><numerusform>另有 {count} 次驱逐</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/eviction_words.py"/>
        <source>{count} earlier evictions</source>
        <translation><numerusform>此前 {count} 次驱逐</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/folding.py"/>
        <source>{count} nodes</source>
        <translation><numerusform>{count} 个节点</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/folding.py"/>
        <source>{count} tokens</source>
        <translation><numerusform>{count} 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/folding.py"/>
        <source>{count} checkpoints</source>
        <translation><numerusform>{count} 个检查点</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/chat/pasted.py"/>
        <source>{count} more lines</source>
        <translation><numerusform>另有 {count} 行</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/chat/queue_view.py"/>
        <source>{count} files</source>
        <translation><numerusform>{count} 个文件</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/chat/turn_words.py"/>
        <source>{count} answers</source>
        <translation><numerusform>{count} 个回答</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/audit_rows.py"/>
        <source>{count} requests</source>
        <translation><numerusform>{count} 个请求</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/eviction_rows.py"/>
        <source>{count} evictions</source>
        <translation><numerusform>{count} 次驱逐</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/invariant_rows.py"/>
        <source>{count} moments</source>
        <translation><numerusform>{count} 个时刻</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/timeline/cards.py"/>
        <source>{count} more kinds</source>
        <translation><numerusform>另有 {count} 种</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/what_if/panel.py"/>
        <source>{count} recorded requests</source>
        <translation><numerusform>{count} 个已记录的请求</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/why/advice.py"/>
        <source>{count} changes</source>
        <translation><numerusform>{count} 项改动</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/memory_words.py"/>
        <source>{count} heads</source>
        <translation><numerusform>{count} 个头</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/phase_sentences.py"/>
        <source>{count} positions</source>
        <translation><numerusform>{count} 个位置</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/phase_sentences.py"/>
        <source>{count} decode steps</source>
        <translation><numerusform>{count} 个解码步</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/sentences.py"/>
        <source>{count} query heads</source>
        <translation><numerusform>{count} 个查询头</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/sentences.py"/>
        <source>{count} layers</source>
        <translation><numerusform>{count} 层</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/sentences.py"/>
        <source>{count} states</source>
        <translation><numerusform>{count} 个状态</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/session/search.py"/>
        <source>{count} conversations</source>
        <translation><numerusform>{count} 个对话</numerusform></translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Settings of the conversation</source>
        <translation>对话设置</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Close the settings</source>
        <translation>关闭设置</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Return all sampling to the defaults</source>
        <translation>将所有采样参数恢复为默认值</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>SAMPLING</source>
        <translation>采样</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>“{name}” was deleted.</source>
        <translation>已删除“{name}”。</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>Name of the preset</source>
        <translation>预设名称</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>System text</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>Choose what goes into the preset.</source>
        <translation>请选择要存入预设的内容。</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Save preset</source>
        <translation>保存预设</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Rename preset</source>
        <translation>重命名预设</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Model's defaults</source>
        <translation>模型默认值</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Presets: {current}</source>
        <translation>预设：{current}</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>{name}. Choose, save, rename or delete one.</source>
        <translation>{name}。可选择、保存、重命名或删除预设。</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source> and </source>
        <translation>和</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>No presets yet</source>
        <translation>还没有预设</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Save as preset…</source>
        <translation>另存为预设…</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>“{name}” is replaced.</source>
        <translation>将替换“{name}”。</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Another preset is called “{name}”.</source>
        <translation>已有另一个名为“{name}”的预设。</translation>
    </message>
    <message>
        <location filename="app/settings/row.py"/>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <location filename="app/settings/row.py"/>
        <source>Reset {title}</source>
        <translation>重置{title}</translation>
    </message>
    <message>
        <location filename="app/settings/row.py"/>
        <source>{title}, changed</source>
        <translation>{title}，已更改</translation>
    </message>
    <message>
        <location filename="app/settings/stop_field.py"/>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>Instructions that the model reads before the conversation</source>
        <translation>模型在对话开始前读取的指令</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>Cost of the system text</source>
        <translation>系统文本的开销</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>Use this text from the next message on (Ctrl+Enter)</source>
        <translation>从下一条消息起使用此文本 (Ctrl+Enter)</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>Return to the text that is in use</source>
        <translation>恢复为正在使用的文本</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>SYSTEM TEXT</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <location filename="app/shell/attaching.py"/>
        <source>Attach text files</source>
        <translation>附加文本文件</translation>
    </message>
    <message numerus="yes">
        <location filename="app/shell/attaching.py"/>
        <source>{count} other files</source>
        <translation><numerusform>另外 {count} 个文件</numerusform></translation>
    </message>
    <message>
        <location filename="app/shell/attaching.py"/>
        <source>{more} too many: a message may have at most {most_files}.</source>
        <translation>多出 {more}：一条消息最多可附 {most_files} 个。</translation>
    </message>
    <message>
        <location filename="app/shell/attaching.py"/>
        <source>{left} could not be attached.</source>
        <translation>{left}无法附加。</translation>
    </message>
    <message>
        <location filename="app/shell/cache_menu.py"/>
        <source>Record trace</source>
        <translation>记录轨迹</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>an open model</source>
        <translation>打开的模型</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>an open trace</source>
        <translation>打开的轨迹</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>an answer</source>
        <translation>一个回答</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>a message of yours</source>
        <translation>一条您的消息</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>a deleted conversation</source>
        <translation>已删除的对话</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>&amp;Conversation</source>
        <translation>对话(&amp;C)</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>C&amp;ache</source>
        <translation>缓存(&amp;A)</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>New conversation</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Open recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Weights and experts…</source>
        <translation>权重与专家…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Open trace…</source>
        <translation>打开轨迹…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Open demo trace</source>
        <translation>打开演示轨迹</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Close trace</source>
        <translation>关闭轨迹</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Export conversation…</source>
        <translation>导出对话…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Export all conversations…</source>
        <translation>导出所有对话…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Import conversations…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Save trace as…</source>
        <translation>轨迹另存为…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Find in conversation…</source>
        <translation>在对话中查找…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Search conversations…</source>
        <translation>搜索对话…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Go to link of a node…</source>
        <translation>转到节点链接…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Attach files…</source>
        <translation>附加文件…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Regenerate</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Continue answer</source>
        <translation>继续回答</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Edit last message</source>
        <translation>编辑上一条消息</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Edit last answer</source>
        <translation>编辑上一个回答</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Fork to a new conversation</source>
        <translation>分叉到新对话</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Previous version</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Restore deleted conversation</source>
        <translation>恢复已删除的对话</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Evict deleted conversation from cache</source>
        <translation>将已删除的对话从缓存中驱逐</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Always evict deleted conversations</source>
        <translation>始终驱逐已删除的对话</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Debugger</source>
        <translation>调试器</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Debugger panels</source>
        <translation>调试器面板</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Reset debugger layout</source>
        <translation>重置调试器布局</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Show whole tree</source>
        <translation>显示整棵树</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Memory lab</source>
        <translation>内存实验室</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Check cache invariants</source>
        <translation>检查缓存不变量</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Verify states when idle</source>
        <translation>空闲时验证状态</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Event log</source>
        <translation>事件日志</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Record trace…</source>
        <translation>记录轨迹…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Warm a prompt…</source>
        <translation>预热提示词…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Clear cache</source>
        <translation>清空缓存</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Show log</source>
        <translation>显示日志</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>About Biplane</source>
        <translation>关于 Biplane</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>chat</source>
        <translation>聊天 chat</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>load folder</source>
        <translation>加载 文件夹 load</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>format quantise memory</source>
        <translation>格式 量化 内存 quantise</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>recording</source>
        <translation>录制 记录 recording</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>recording example</source>
        <translation>录制 示例 example</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>a message in the conversation</source>
        <translation>对话中的一条消息</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>save Markdown JSON</source>
        <translation>保存 Markdown JSON</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>save backup</source>
        <translation>保存 备份 backup</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>ChatGPT Open WebUI</source>
        <translation>ChatGPT Open WebUI</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>exit close</source>
        <translation>退出 关闭 exit</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>find text</source>
        <translation>查找 文本 find</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>add upload</source>
        <translation>添加 上传 upload</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>something running</source>
        <translation>正在运行的任务</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>again retry</source>
        <translation>重试 再来一次 retry</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>an answer that was cut</source>
        <translation>被截断的回答</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>more</source>
        <translation>更多</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>branch copy</source>
        <translation>分支 复制 branch</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>a message with several versions</source>
        <translation>有多个版本的消息</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>branch</source>
        <translation>分支 branch</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>temperature sampling system text preset</source>
        <translation>温度 采样 系统文本 预设 temperature</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>title</source>
        <translation>标题 title</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>top</source>
        <translation>置顶 top</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>remove</source>
        <translation>移除 删除 remove</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>undo</source>
        <translation>撤销 undo</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>list sidebar pane</source>
        <translation>列表 侧栏 sidebar</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>tree pane</source>
        <translation>树 面板 tree</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>zoom fit</source>
        <translation>缩放 适应 fit</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>empty delete</source>
        <translation>清空 删除 empty</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>help keys</source>
        <translation>帮助 按键 help</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>diagnostics</source>
        <translation>诊断 diagnostics</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>version</source>
        <translation>版本 version</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Follow system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>theme appearance</source>
        <translation>主题 外观 theme</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>theme appearance bright</source>
        <translation>主题 外观 亮色 theme</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>theme appearance night</source>
        <translation>主题 外观 夜间 暗色 theme</translation>
    </message>
    <message>
        <location filename="app/shell/context_meter.py"/>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <location filename="app/shell/debugger.py"/>
        <source>That request is not in the record any more: a model was opened since.</source>
        <translation>该请求已不在记录中：此后又打开过模型。</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>Local chat with hybrid models on a two-plane prefix cache.

The upper wing keeps keys and values, the lower one keeps recurrent states. Nothing leaves this computer.</source>
        <translation>基于双平面前缀缓存的混合模型本地聊天。

上翼保存键和值，下翼保存循环状态。任何内容都不会离开这台电脑。</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>Version {app_version}</source>
        <translation>版本 {app_version}</translation>
    </message>
    <message>
        <location filename="app/shell/events.py"/>
        <source> Press Enter to show the tree.</source>
        <translation>按 Enter 显示树。</translation>
    </message>
    <message>
        <location filename="app/shell/events.py"/>
        <source>A notice belongs to no node.</source>
        <translation>通知不属于任何节点。</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Biplane, ChatGPT and Open WebUI (*.json *.zip)</source>
        <translation>Biplane、ChatGPT 与 Open WebUI (*.json *.zip)</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>JSON, with every branch (*.json)</source>
        <translation>JSON，含所有分支 (*.json)</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Export conversation</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Export all conversations</source>
        <translation>导出所有对话</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Import conversations</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>The conversation was exported to {name}.</source>
        <translation>对话已导出到 {name}。</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>{conversations} exported to {name}.</source>
        <translation>已将 {conversations}导出到 {name}。</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Importing {name}…</source>
        <translation>正在导入 {name}…</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>Choose the folder of a Qwen3.5, Qwen3.6 or Qwen3-Next model: the one with config.json, tokenizer.json and *.safetensors.</source>
        <translation>请选择 Qwen3.5、Qwen3.6 或 Qwen3-Next 模型的文件夹，即包含 config.json、tokenizer.json 和 *.safetensors 的文件夹。</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>Choose another folder…</source>
        <translation>选择其他文件夹…</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>The model could not be opened</source>
        <translation>无法打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>{name} could not be opened</source>
        <translation>无法打开 {name}</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>Continue with {previous}</source>
        <translation>继续使用 {previous}</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>Reopen {previous}</source>
        <translation>重新打开 {previous}</translation>
    </message>
    <message>
        <location filename="app/shell/farewell.py"/>
        <source>If you skip the rest, earlier prompts are processed again next time. Nothing else is affected.</source>
        <translation>如果跳过剩余部分，下次需要重新处理之前的提示词，其他不受影响。</translation>
    </message>
    <message>
        <location filename="app/shell/farewell.py"/>
        <source>Saving the cache</source>
        <translation>正在保存缓存</translation>
    </message>
    <message>
        <location filename="app/shell/farewell.py"/>
        <source>Quit without saving the rest</source>
        <translation>不保存剩余部分并退出</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>Message field and lists</source>
        <translation>消息框与列表</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>Tree</source>
        <translation>树</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>send, or queue while an answer is written</source>
        <translation>发送；回答尚未写完时排队</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>new line</source>
        <translation>换行</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>remove an attached file (on its chip)</source>
        <translation>移除附加的文件（焦点在文件标签上时）</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>next, previous and open (while searching)</source>
        <translation>下一个、上一个、打开（搜索时）</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>next and previous match (while finding)</source>
        <translation>下一处、上一处匹配（查找时）</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>rename or delete a conversation (in the list)</source>
        <translation>重命名或删除对话（在列表中）</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>context menu (tree and list)</source>
        <translation>右键菜单（树与列表）</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>tree: zoom, move</source>
        <translation>树：缩放、移动</translation>
    </message>
    <message>
        <location filename="app/shell/linking.py"/>
        <source>That message is not in the cache: it has not run yet, or was evicted.</source>
        <translation>该消息不在缓存中：尚未运行，或已被驱逐。</translation>
    </message>
    <message>
        <location filename="app/shell/linking.py"/>
        <source>Those tokens belong to no message of a conversation.</source>
        <translation>这些 token 不属于任何对话的消息。</translation>
    </message>
    <message>
        <location filename="app/shell/opening.py"/>
        <source>Choose a model folder</source>
        <translation>选择模型文件夹</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Fewer bits take less memory and answer faster, but change the answers slightly. Only mixture-of-experts models have routed experts: those that do not fit the memory given here are read from the files when needed.</source>
        <translation>位数越少，占用内存越少、回答越快，但回答会略有不同。只有混合专家模型才有路由专家：此处给定的内存放不下的专家会在需要时从文件读取。</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>As stored in the files</source>
        <translation>与文件中存储的一致</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>8 bits (int8)</source>
        <translation>8 位 (int8)</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>4 bits (int4)</source>
        <translation>4 位 (int4)</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Weights and experts</source>
        <translation>权重与专家</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Format of weights</source>
        <translation>权重格式</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Memory for routed experts</source>
        <translation>路由专家的内存</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Which format suits this machine</source>
        <translation>哪种格式适合本机</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Reload model</source>
        <translation>重新加载模型</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Use for next model</source>
        <translation>用于下一个模型</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Open model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>No model was opened yet</source>
        <translation>还没有打开过模型</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Choose</source>
        <translation>请选择</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source> in {place}</source>
        <translation>，位于 {place}</translation>
    </message>
    <message>
        <location filename="app/shell/recent_menu.py"/>
        <source>This model is open.</source>
        <translation>该模型已打开。</translation>
    </message>
    <message>
        <location filename="app/shell/recent_menu.py"/>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <location filename="app/shell/recent_models.py"/>
        <source>This folder is no longer there.</source>
        <translation>该文件夹已不存在。</translation>
    </message>
    <message>
        <location filename="app/shell/recent_models.py"/>
        <source>This is no longer a folder.</source>
        <translation>它已不再是文件夹。</translation>
    </message>
    <message>
        <location filename="app/shell/recent_models.py"/>
        <source>There is no config.json in this folder any more.</source>
        <translation>该文件夹中已没有 config.json。</translation>
    </message>
    <message>
        <location filename="app/shell/recent_models.py"/>
        <source>This folder cannot be read ({strerror}).</source>
        <translation>无法读取该文件夹（{strerror}）。</translation>
    </message>
    <message>
        <location filename="app/shell/recent_models.py"/>
        <source>unknown error</source>
        <translation>未知错误</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>No model open</source>
        <translation>未打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>Opening {name}: {stage}{share}</source>
        <translation>正在打开 {name}：{stage}{share}</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>{weights} weights, {dtype}</source>
        <translation>{weights} 权重，{dtype}</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>context {used} of {window} ({share:.0%})</source>
        <translation>上下文 {used} / {window}（{share:.0%}）</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>{name} · {numbers} on {device}{kernels}</source>
        <translation>{name} · {numbers}，{device}{kernels}</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>{parameters} parameters in {weight_bytes}, {numbers} on {device}</source>
        <translation>{parameters} 个参数，占 {weight_bytes}，{numbers}，运行于 {device}</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>{layers} layers: {linear_layers} linear, {full_layers} attention</source>
        <translation>{layers} 层：{linear_layers} 层线性，{full_layers} 层注意力</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>{kv_bytes_per_token} of KV per token, {checkpoint_bytes} per checkpoint</source>
        <translation>每个 token 的 KV 占 {kv_bytes_per_token}，每个检查点占 {checkpoint_bytes}</translation>
    </message>
    <message>
        <location filename="app/shell/statusbar.py"/>
        <source>Opening the model</source>
        <translation>正在打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/statusbar.py"/>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <location filename="app/shell/statusbar.py"/>
        <source>Cancel opening the model</source>
        <translation>取消打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/traces.py"/>
        <source>Traces (*.jsonl *.jsonl.gz);;All files (*)</source>
        <translation>轨迹 (*.jsonl *.jsonl.gz);;所有文件 (*)</translation>
    </message>
    <message>
        <location filename="app/shell/traces.py"/>
        <source>Open trace</source>
        <translation>打开轨迹</translation>
    </message>
    <message>
        <location filename="app/shell/traces.py"/>
        <source>Reading the trace was cancelled.</source>
        <translation>已取消读取轨迹。</translation>
    </message>
    <message>
        <location filename="app/shell/warm_dialog.py"/>
        <source>Reads these messages into the cache while no answer runs: a conversation that begins with them then answers sooner.</source>
        <translation>在没有回答运行时将这些消息读入缓存：以它们开头的对话随后会更快得到回答。</translation>
    </message>
    <message>
        <location filename="app/shell/warm_dialog.py"/>
        <source>Warm a prompt</source>
        <translation>预热提示词</translation>
    </message>
    <message>
        <location filename="app/shell/warm_dialog.py"/>
        <source>Messages of the prompt</source>
        <translation>提示词的消息</translation>
    </message>
    <message>
        <location filename="app/shell/warm_dialog.py"/>
        <source>What came of it</source>
        <translation>结果</translation>
    </message>
    <message>
        <location filename="app/shell/warm_dialog.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="app/shell/warm_dialog.py"/>
        <source>Warm</source>
        <translation>预热</translation>
    </message>
    <message>
        <location filename="app/shell/window.py"/>
        <source>Conversation deleted. Ctrl+Shift+T restores it.</source>
        <translation>对话已删除，按 Ctrl+Shift+T 可恢复。</translation>
    </message>
    <message>
        <location filename="app/shell/window.py"/>
        <source>{sentence} Esc stops it.</source>
        <translation>{sentence}按 Esc 停止。</translation>
    </message>
    <message numerus="yes">
        <location filename="app/words/context_words.py"/>
        <source>{count} messages</source>
        <translation><numerusform>{count} 条消息</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/words/explain.py"/>
        <source>{count} times</source>
        <translation><numerusform>{count} 次</numerusform></translation>
    </message>
</context>
</TS>
