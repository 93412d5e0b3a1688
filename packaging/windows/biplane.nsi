; The installer for Windows, for one user and without administrator's rights:
;   makensis -DVERSION=0.1.0 -DSOURCE=FOLDER -DOUT=FILE.exe packaging/windows/biplane.nsi
; SOURCE is what `python -m bundle build --machine windows` made.
Unicode true
ManifestDPIAware true
RequestExecutionLevel user
SetCompressor /SOLID lzma
Name "Biplane"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Biplane"
InstallDirRegKey HKCU "Software\Biplane" "Folder"
Icon "${SOURCE}\biplane.ico"
UninstallIcon "${SOURCE}\biplane.ico"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Biplane"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Local chat with a view of its cache"
VIAddVersionKey "LegalCopyright" "The Biplane authors"

!include MUI2.nsh
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Biplane"
!define CLASSES "Software\Classes"

; Offered where a file is opened with another program; nothing is taken from one.
!macro Opens extension
  WriteRegStr HKCU "${CLASSES}\.${extension}\OpenWithProgids" "Biplane.File" ""
!macroend
!macro OpensNoMore extension
  DeleteRegValue HKCU "${CLASSES}\.${extension}\OpenWithProgids" "Biplane.File"
!macroend

Section
  ; What an earlier version had and this one has not must not be found by Python.
  RMDir /r "$INSTDIR\python"
  SetOutPath "$INSTDIR"
  File /r "${SOURCE}\*"
  WriteRegStr HKCU "Software\Biplane" "Folder" "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortCut "$SMPROGRAMS\Biplane.lnk" "$INSTDIR\python\pythonw.exe" "-m app" "$INSTDIR\biplane.ico"
  WriteRegStr HKCU "${CLASSES}\Biplane.File\DefaultIcon" "" "$INSTDIR\biplane.ico"
  WriteRegStr HKCU "${CLASSES}\Biplane.File\shell\open\command" "" '"$INSTDIR\python\pythonw.exe" -m app "%1"'
  !insertmacro Opens "gguf"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Biplane"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\biplane.ico"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

; Conversations, models and settings are elsewhere and stay.
Section Uninstall
  RMDir /r "$INSTDIR\python"
  RMDir /r "$INSTDIR\share"
  Delete "$INSTDIR\biplane.cmd"
  Delete "$INSTDIR\biplane.ico"
  Delete "$INSTDIR\README.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Biplane.lnk"
  !insertmacro OpensNoMore "gguf"
  DeleteRegKey HKCU "${CLASSES}\Biplane.File"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\Biplane"
SectionEnd
